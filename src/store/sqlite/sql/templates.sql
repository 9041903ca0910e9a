-- name: putTemplate
-- Sets a template, whatever was there.
-- in: namespace, tenant, name, updated_at, template
-- index: primary key
insert into templates (namespace, tenant, name, updated_at, template)
values (:namespace, :tenant, :name, :updated_at, :template)
on conflict (namespace, tenant, name) do update set updated_at = excluded.updated_at, template = excluded.template;

-- name: readTemplate
-- One template, by its name.
-- in: namespace, tenant, name
-- index: primary key
select * from templates where namespace = :namespace and tenant = :tenant and name = :name;

-- name: listTemplates
-- The names of a tenant's templates.
-- in: namespace, tenant
-- index: primary key
select name, updated_at from templates where namespace = :namespace and tenant = :tenant order by name;

-- name: deleteTemplate
-- Gone for good.
-- in: namespace, tenant, name
-- index: primary key
delete from templates where namespace = :namespace and tenant = :tenant and name = :name;
