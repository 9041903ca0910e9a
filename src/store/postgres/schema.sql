create function pawl.clock_ms() returns bigint stable;

create table pawl.actions (
  id text collate "C" not null,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  lane integer not null,
  execution text collate "C",
  source_kind text collate "C" not null,
  source_id text collate "C" not null,
  status text collate "C" not null,
  due_at bigint not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token bigint not null,
  nonce text collate "C",
  worker text collate "C",
  lease_until bigint,
  size integer not null,
  marked boolean not null,
  hold text,
  cancel_requested boolean not null,
  dedup_key text collate "C",
  fingerprint text collate "C",
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  archived_at bigint,
  error json,
  result text,
  plan json not null,
  standing text collate "C",
  constraint actions_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, fillfactor=45);
CREATE INDEX actions_dead ON pawl.actions USING btree (namespace, tenant, fingerprint, id, finished_at) WHERE (standing = 'dead'::text);
CREATE INDEX actions_dead_age ON pawl.actions USING btree (finished_at, id) WHERE (standing = 'dead'::text);
CREATE INDEX actions_due ON pawl.actions USING btree (lane, due_at, id) WHERE (standing = 'line'::text);
CREATE INDEX actions_execution ON pawl.actions USING btree (execution, namespace, tenant) WHERE (execution IS NOT NULL);
CREATE INDEX actions_review ON pawl.actions USING btree (namespace, tenant, fingerprint, id, finished_at) WHERE (standing = 'review'::text);
create policy reader on pawl.actions using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.actions_done (
  id text collate "C" not null,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  lane integer not null,
  execution text collate "C",
  source_kind text collate "C" not null,
  source_id text collate "C" not null,
  status text collate "C" not null,
  due_at bigint not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token bigint not null,
  worker text collate "C",
  size integer not null,
  dedup_key text collate "C",
  fingerprint text collate "C",
  created_at bigint not null,
  started_at bigint,
  finished_at bigint not null,
  archived_at bigint,
  kept_from bigint not null,
  error json,
  result text,
  plan json not null,
  constraint actions_done_pkey PRIMARY KEY (namespace, tenant, id, kept_from)
) partition by RANGE (kept_from);
CREATE INDEX actions_done_age ON ONLY pawl.actions_done USING btree (kept_from);
CREATE INDEX actions_done_execution ON ONLY pawl.actions_done USING btree (execution, namespace, tenant, id) WHERE (execution IS NOT NULL);
create policy reader on pawl.actions_done using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.actions_done_rest (
  id text collate "C" not null,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  lane integer not null,
  execution text collate "C",
  source_kind text collate "C" not null,
  source_id text collate "C" not null,
  status text collate "C" not null,
  due_at bigint not null,
  attempt integer not null,
  lost integer not null,
  reaps integer not null,
  token bigint not null,
  worker text collate "C",
  size integer not null,
  dedup_key text collate "C",
  fingerprint text collate "C",
  created_at bigint not null,
  started_at bigint,
  finished_at bigint not null,
  archived_at bigint,
  kept_from bigint not null,
  error json,
  result text,
  plan json not null
);

create table pawl.alerts (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  severity text not null,
  cause text not null,
  count integer not null,
  first_at bigint not null,
  last_at bigint not null,
  told_at bigint,
  acknowledged_at bigint,
  acknowledged_by text,
  details json not null,
  constraint alerts_count_check CHECK ((count > 0)),
  constraint alerts_id_check CHECK ((id <> ''::text)),
  constraint alerts_namespace_check CHECK ((namespace <> ''::text)),
  constraint alerts_tenant_check CHECK ((tenant <> ''::text)),
  constraint alerts_pkey PRIMARY KEY (namespace, tenant, id)
);
CREATE INDEX alerts_age ON pawl.alerts USING btree (last_at);
CREATE INDEX alerts_open ON pawl.alerts USING btree (namespace, tenant, (((acknowledged_at IS NULL))::integer), first_at, id);
CREATE INDEX alerts_recent ON pawl.alerts USING btree (namespace, tenant, first_at, id);
CREATE INDEX alerts_untold ON pawl.alerts USING btree (first_at, id) WHERE (told_at IS NULL);
create policy reader on pawl.alerts using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.attempts (
  position bigint not null generated always as identity,
  action text collate "C" not null,
  number integer not null,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  outcome text collate "C" not null,
  reason text collate "C" not null,
  started_at bigint not null,
  ended_at bigint not null,
  worker text collate "C" not null,
  error json,
  constraint attempts_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'timed_out'::text, 'cancelled'::text, 'lost'::text]))),
  constraint attempts_pkey PRIMARY KEY ("position")
);
CREATE INDEX attempts_action ON pawl.attempts USING btree (action, number);
create policy reader on pawl.attempts using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.audit (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  number bigint not null,
  type text not null,
  at bigint not null,
  prev_hash text not null,
  hash text not null,
  data json not null,
  constraint audit_namespace_check CHECK ((namespace <> ''::text)),
  constraint audit_number_check CHECK ((number > 0)),
  constraint audit_tenant_check CHECK ((tenant <> ''::text)),
  constraint audit_pkey PRIMARY KEY (namespace, tenant, number)
);

create table pawl.bulk_items (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  bulk text collate "C" not null,
  action text collate "C" not null,
  watched text collate "C" not null,
  status text not null,
  at bigint not null,
  error json,
  constraint bulk_items_status_check CHECK ((status = ANY (ARRAY['sent'::text, 'succeeded'::text, 'failed'::text]))),
  constraint bulk_items_pkey PRIMARY KEY (namespace, tenant, bulk, action)
);
CREATE INDEX bulk_items_failed ON pawl.bulk_items USING btree (namespace, tenant, bulk, action) WHERE (status = 'failed'::text);
CREATE INDEX bulk_items_sent ON pawl.bulk_items USING btree (namespace, tenant, bulk, action) WHERE (status = 'sent'::text);
create policy reader on pawl.bulk_items using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.bulk_operations (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  id text collate "C" not null,
  status text not null,
  revision integer not null,
  holder text,
  lease_until bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  content json not null,
  constraint bulk_operations_id_check CHECK ((id <> ''::text)),
  constraint bulk_operations_namespace_check CHECK ((namespace <> ''::text)),
  constraint bulk_operations_revision_check CHECK ((revision > 0)),
  constraint bulk_operations_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text, 'completed'::text]))),
  constraint bulk_operations_tenant_check CHECK ((tenant <> ''::text)),
  constraint bulk_operations_pkey PRIMARY KEY (namespace, tenant, id)
);
CREATE INDEX bulk_operations_ended ON pawl.bulk_operations USING btree (updated_at) WHERE (status = ANY (ARRAY['stopped'::text, 'completed'::text]));
CREATE INDEX bulk_operations_recent ON pawl.bulk_operations USING btree (namespace, tenant, created_at, id);
CREATE INDEX bulk_operations_running ON pawl.bulk_operations USING btree (created_at, id) WHERE (status = 'running'::text);
create policy reader on pawl.bulk_operations using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.checkpoints (
  number integer not null generated always as identity,
  at bigint not null,
  heads integer not null,
  hash text not null,
  feed_position text not null,
  constraint checkpoints_pkey PRIMARY KEY (number)
);

create table pawl.chores (
  name text collate "C" not null,
  holder text collate "C" not null,
  until bigint not null,
  constraint chores_pkey PRIMARY KEY (name)
);

create table pawl.claims (
  sheet text collate "C" not null,
  look_at bigint not null,
  actions text[] collate "C" not null,
  constraint claims_pkey PRIMARY KEY (sheet)
) with (toast_tuple_target=8160, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX claims_look_at ON pawl.claims USING btree (look_at);

create table pawl.counters (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  name text collate "C" not null,
  bucket bigint not null,
  shard integer not null,
  value bigint not null,
  constraint counters_pkey PRIMARY KEY (namespace, tenant, name, bucket, shard)
) with (fillfactor=50);
create policy reader on pawl.counters using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.dedup (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  key text collate "C" not null,
  action text collate "C" not null,
  until bigint,
  constraint dedup_pkey PRIMARY KEY (namespace, tenant, key)
);
CREATE INDEX dedup_until ON pawl.dedup USING btree (until) WHERE (until IS NOT NULL);
create policy reader on pawl.dedup using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.definitions (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  hash text collate "C" not null,
  created_at bigint not null,
  content json not null,
  constraint definitions_id_check CHECK ((id <> ''::text)),
  constraint definitions_pkey PRIMARY KEY (namespace, tenant, kind, id, hash),
  constraint definitions_namespace_tenant_kind_id_version_key UNIQUE (namespace, tenant, kind, id, version)
);
create policy reader on pawl.definitions using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.events (
  seq bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  execution text collate "C",
  number integer,
  type text collate "C" not null,
  at bigint not null,
  prev_hash text collate "C",
  hash text collate "C",
  data json not null,
  constraint events_pkey PRIMARY KEY (xid, seq, at)
) partition by RANGE (at);
CREATE UNIQUE INDEX events_history ON ONLY pawl.events USING btree (execution, namespace, tenant, number, at) WHERE (number IS NOT NULL);
CREATE INDEX events_tenant ON ONLY pawl.events USING btree (namespace, tenant, xid, seq);
create policy reader on pawl.events using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.events_rest (
  seq bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  execution text collate "C",
  number integer,
  type text collate "C" not null,
  at bigint not null,
  prev_hash text collate "C",
  hash text collate "C",
  data json not null
);
CREATE INDEX events_rest_age ON pawl.events_rest USING btree (at);

create table pawl.executions (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  definition text collate "C" not null,
  definition_hash text collate "C" not null,
  status text collate "C" not null,
  paused_from text collate "C",
  state text collate "C",
  input_hash text collate "C",
  revision integer not null,
  chain_number integer not null,
  chain_hash text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  error json,
  visits json not null,
  pending json not null,
  variables json not null,
  standing text collate "C" generated always as ( CASE WHEN (status = ANY (ARRAY['active'::text, 'completed'::text])) THEN NULL::text ELSE status END) stored,
  constraint executions_pkey PRIMARY KEY (namespace, tenant, id)
) with (fillfactor=50);
CREATE INDEX executions_definition ON pawl.executions USING btree (namespace, tenant, definition, created_at, id);
CREATE INDEX executions_recent ON pawl.executions USING btree (namespace, tenant, created_at, id);
CREATE INDEX executions_recurrences ON pawl.executions USING btree (namespace, tenant, created_at, id) WHERE (kind = 'recurrence'::text);
CREATE INDEX executions_standing ON pawl.executions USING btree (namespace, tenant, standing, created_at, id) WHERE (standing IS NOT NULL);
create policy reader on pawl.executions using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.health (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  name text collate "C" not null,
  type text collate "C" not null,
  bucket bigint not null,
  writer text collate "C" not null,
  measured json not null,
  constraint health_namespace_check CHECK ((namespace <> ''::text)),
  constraint health_tenant_check CHECK ((tenant <> ''::text)),
  constraint health_pkey PRIMARY KEY (namespace, tenant, name, bucket, type, writer)
);
CREATE INDEX health_age ON pawl.health USING btree (bucket);
CREATE INDEX health_recent ON pawl.health USING btree (namespace, tenant, bucket);

create table pawl.idempotency (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  key text collate "C" not null,
  request_hash text not null,
  holder text not null,
  until bigint not null,
  answer json,
  constraint idempotency_key_check CHECK ((key <> ''::text)),
  constraint idempotency_namespace_check CHECK ((namespace <> ''::text)),
  constraint idempotency_tenant_check CHECK ((tenant <> ''::text)),
  constraint idempotency_pkey PRIMARY KEY (namespace, tenant, key)
);
CREATE INDEX idempotency_until ON pawl.idempotency USING btree (until);

create table pawl.inbox (
  seq bigint not null generated always as identity,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  execution text collate "C" not null,
  event_id text collate "C" not null,
  definition text collate "C" not null,
  held boolean not null,
  received_at bigint not null,
  applied_at bigint,
  event json,
  constraint inbox_pkey PRIMARY KEY (namespace, tenant, execution, event_id)
);
CREATE INDEX inbox_applied ON pawl.inbox USING btree (applied_at) WHERE (applied_at IS NOT NULL);
CREATE INDEX inbox_execution ON pawl.inbox USING btree (namespace, tenant, execution, seq) WHERE (applied_at IS NULL);
CREATE INDEX inbox_waiting ON pawl.inbox USING btree (definition, seq) WHERE ((applied_at IS NULL) AND (NOT held));
create policy reader on pawl.inbox using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.keys (
  id text collate "C" not null,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  name text not null,
  prefix text not null,
  hash text collate "C" not null,
  scopes json not null,
  operator boolean not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  constraint keys_hash_check CHECK ((hash <> ''::text)),
  constraint keys_id_check CHECK ((id <> ''::text)),
  constraint keys_namespace_check CHECK ((namespace <> ''::text)),
  constraint keys_tenant_check CHECK ((tenant <> ''::text)),
  constraint keys_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX keys_hash ON pawl.keys USING btree (hash);
CREATE INDEX keys_tenant ON pawl.keys USING btree (namespace, tenant, id);

create table pawl.lanes (
  lane integer not null generated always as identity,
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  type text collate "C" not null,
  priority integer not null,
  constraint lanes_namespace_check CHECK ((namespace <> ''::text)),
  constraint lanes_tenant_check CHECK ((tenant <> ''::text)),
  constraint lanes_type_check CHECK ((type <> ''::text)),
  constraint lanes_pkey PRIMARY KEY (lane),
  constraint lanes_namespace_tenant_type_priority_key UNIQUE (namespace, tenant, type, priority)
);
create policy reader on pawl.lanes using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.limit_places (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  key text collate "C" not null,
  action text collate "C" not null,
  owner_namespace text collate "C" not null,
  owner_tenant text collate "C" not null,
  token bigint,
  since bigint not null,
  called_at bigint,
  touched_at bigint not null,
  constraint limit_places_action_check CHECK ((action <> ''::text)),
  constraint limit_places_key_check CHECK ((key <> ''::text)),
  constraint limit_places_namespace_check CHECK ((namespace <> ''::text)),
  constraint limit_places_tenant_check CHECK ((tenant <> ''::text)),
  constraint limit_places_pkey PRIMARY KEY (namespace, tenant, key, action)
);
CREATE INDEX limit_places_age ON pawl.limit_places USING btree (touched_at);
CREATE INDEX limit_places_called ON pawl.limit_places USING btree (namespace, tenant, key, called_at) WHERE (called_at IS NOT NULL);
CREATE INDEX limit_places_held ON pawl.limit_places USING btree (namespace, tenant, key) WHERE (token IS NOT NULL);
CREATE INDEX limit_places_line ON pawl.limit_places USING btree (namespace, tenant, key, since, action) WHERE (token IS NULL);

create table pawl.limits (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  key text collate "C" not null,
  version integer not null,
  shut boolean not null,
  idle_at bigint not null,
  state json not null,
  constraint limits_key_check CHECK ((key <> ''::text)),
  constraint limits_namespace_check CHECK ((namespace <> ''::text)),
  constraint limits_tenant_check CHECK ((tenant <> ''::text)),
  constraint limits_version_check CHECK ((version > 0)),
  constraint limits_pkey PRIMARY KEY (namespace, tenant, key)
);
CREATE INDEX limits_idle ON pawl.limits USING btree (idle_at);
CREATE INDEX limits_shut ON pawl.limits USING btree (idle_at) WHERE shut;

create table pawl.migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  breaking boolean not null,
  applied_at bigint not null,
  constraint migrations_pkey PRIMARY KEY (number)
);

create table pawl.occurrences (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  recurrence text collate "C" not null,
  at bigint not null,
  fate text collate "C" not null,
  told_at bigint not null,
  details json not null,
  constraint occurrences_fate_check CHECK ((fate = ANY (ARRAY['fired'::text, 'skipped'::text, 'coalesced'::text]))),
  constraint occurrences_namespace_check CHECK ((namespace <> ''::text)),
  constraint occurrences_recurrence_check CHECK ((recurrence <> ''::text)),
  constraint occurrences_tenant_check CHECK ((tenant <> ''::text)),
  constraint occurrences_pkey PRIMARY KEY (namespace, tenant, recurrence, at)
);
CREATE INDEX occurrences_told ON pawl.occurrences USING btree (told_at);
create policy reader on pawl.occurrences using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.outbox (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  id text collate "C" not null,
  at bigint not null,
  type text collate "C" not null,
  action text collate "C",
  entry json not null,
  constraint outbox_id_check CHECK ((id <> ''::text)),
  constraint outbox_namespace_check CHECK ((namespace <> ''::text)),
  constraint outbox_tenant_check CHECK ((tenant <> ''::text)),
  constraint outbox_pkey PRIMARY KEY (namespace, tenant, id)
);
CREATE INDEX outbox_age ON pawl.outbox USING btree (at);
CREATE INDEX outbox_recent ON pawl.outbox USING btree (namespace, tenant, at, id);

create table pawl.pauses (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  scope text collate "C" not null,
  value text collate "C" not null,
  reason text not null,
  at bigint not null,
  constraint pauses_scope_check CHECK ((scope = ANY (ARRAY['execution'::text, 'type'::text, 'definition'::text, 'tenant'::text]))),
  constraint pauses_pkey PRIMARY KEY (namespace, tenant, scope, value)
);
create policy reader on pawl.pauses using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.receipts (
  writer text collate "C" not null,
  number bigint not null,
  void boolean not null default false,
  at bigint not null,
  counts json,
  constraint receipts_pkey PRIMARY KEY (writer)
) with (fillfactor=20);

create table pawl.secrets (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  key_id text collate "C" not null,
  nonce text not null,
  ciphertext text not null,
  hosts json not null,
  created_at bigint not null,
  updated_at bigint not null,
  fingerprint text not null,
  constraint secrets_name_check CHECK ((name <> ''::text)),
  constraint secrets_namespace_check CHECK ((namespace <> ''::text)),
  constraint secrets_tenant_check CHECK ((tenant <> ''::text)),
  constraint secrets_version_check CHECK ((version > 0)),
  constraint secrets_pkey PRIMARY KEY (namespace, tenant, name)
);

create table pawl.store_meta (
  key text collate "C" not null,
  value text not null,
  constraint store_meta_pkey PRIMARY KEY (key)
);

create table pawl.tallies (
  number bigint not null generated always as identity,
  namespaces text[] collate "C" not null,
  tenants text[] collate "C" not null,
  names text[] collate "C" not null,
  buckets bigint[] not null,
  amounts bigint[] not null,
  constraint tallies_pkey PRIMARY KEY (number)
);

create table pawl.tasks (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  id text collate "C" not null,
  status text collate "C" not null,
  told boolean not null,
  execution text collate "C",
  assignee text collate "C",
  due_at bigint,
  created_at bigint not null,
  completed_at bigint,
  task json not null,
  ending json,
  constraint tasks_check CHECK (((completed_at IS NULL) = (status = 'open'::text))),
  constraint tasks_id_check CHECK ((id <> ''::text)),
  constraint tasks_namespace_check CHECK ((namespace <> ''::text)),
  constraint tasks_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text]))),
  constraint tasks_tenant_check CHECK ((tenant <> ''::text)),
  constraint tasks_pkey PRIMARY KEY (namespace, tenant, id)
);
CREATE INDEX tasks_assignee ON pawl.tasks USING btree (namespace, tenant, assignee, created_at, id) WHERE (assignee IS NOT NULL);
CREATE INDEX tasks_done ON pawl.tasks USING btree (completed_at) WHERE (status = 'done'::text);
CREATE INDEX tasks_execution ON pawl.tasks USING btree (namespace, tenant, execution, created_at, id) WHERE (execution IS NOT NULL);
CREATE INDEX tasks_recent ON pawl.tasks USING btree (namespace, tenant, created_at, id);
CREATE INDEX tasks_status ON pawl.tasks USING btree (namespace, tenant, status, created_at, id);
CREATE INDEX tasks_untold ON pawl.tasks USING btree (completed_at) WHERE ((status = 'done'::text) AND (NOT told));

create table pawl.templates (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  name text collate "C" not null,
  updated_at bigint not null,
  template json not null,
  constraint templates_name_check CHECK ((name <> ''::text)),
  constraint templates_namespace_check CHECK ((namespace <> ''::text)),
  constraint templates_tenant_check CHECK ((tenant <> ''::text)),
  constraint templates_pkey PRIMARY KEY (namespace, tenant, name)
);

create table pawl.timers (
  namespace text collate "C" not null,
  tenant text collate "C" not null,
  execution text collate "C" not null,
  key text collate "C" not null,
  due_at bigint not null,
  held boolean not null,
  event json not null,
  constraint timers_pkey PRIMARY KEY (namespace, tenant, execution, key)
);
CREATE INDEX timers_due ON pawl.timers USING btree (due_at, execution, key) WHERE (NOT held);
CREATE INDEX timers_tenant ON pawl.timers USING btree (namespace, tenant, due_at, execution, key) WHERE (NOT held);
create policy reader on pawl.timers using ((namespace = current_setting('pawl.namespace'::text, true)) AND (tenant = current_setting('pawl.tenant'::text, true)));

create table pawl.workers (
  id text collate "C" not null,
  started_at bigint not null,
  seen_at bigint not null,
  slots integer not null,
  version text not null,
  host text not null,
  types json not null,
  definitions json not null,
  constraint workers_id_check CHECK ((id <> ''::text)),
  constraint workers_pkey PRIMARY KEY (id)
);
CREATE INDEX workers_seen ON pawl.workers USING btree (seen_at);
