// What the reader of SQL finds in a statement, and what is left of it.

import { describe, expect, it } from 'vitest'
import { cutsOf, nameCutsOf, schemaCutsOf } from './cuts.ts'
import { EQUIVALENT } from './equivalent.ts'
import { mutantsOf } from './mutants.ts'

const told = (sql: string): readonly string[] => cutsOf(sql).map(({ what }) => what)

describe('cuts', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['each condition', 'select 1 from t where a = :a and b > 2 limit 1', ['a = :a dropped', 'b > 2 dropped']],
    ['each alternative', "update t set a = 1 where b = 'x and y' or c", ["b = 'x and y' never", 'c never']],
    [
      'conditions in brackets and in queries',
      'delete from t where a and (b or c) and d in (select d from u where e)',
      [
        'a dropped',
        '(b or c) dropped',
        'b never',
        'c never',
        'd in (select d from u where e) dropped',
        'e dropped',
      ],
    ],
    [
      'no parts of BETWEEN or CASE',
      'select 1 from t where a between 1 and 2 and case when b and c then d end',
      ['a between 1 and 2 dropped', 'case when b and c then d end dropped'],
    ],
    [
      'joins',
      'select 1 from t join u on t.a = u.a and t.b = u.b left join v on true',
      ['t.a = u.a dropped', 't.b = u.b dropped'],
    ],
    ['nothing in comments', '-- where a\nselect 1', []],
    [
      'locks',
      'select id from t order by id for update of t skip locked',
      ['for update of t skip locked dropped', 'skip locked dropped', 'id reversed', 'id unordered'],
    ],
    ['orders', 'select 1 from t order by f(a, b) desc, c limit 1', ['f(a, b) desc reversed', 'c reversed']],
    [
      'conflicts',
      'insert into t (a) values (1) on conflict (a) do update set a = 2 where t.b returning a',
      ['t.b dropped', 'on conflict (a) do update set a = 2 where t.b dropped'],
    ],
  ])('finds %s', (_, sql, expected) => {
    expect(told(sql)).toEqual(expected)
  })

  it('finds what keeps rows apart in a schema', () => {
    const sql = `create table s.t (id text primary key check (id <> ''), n integer, unique (a, b), primary key (c));
      create unique index i on s.t (n);`
    expect(schemaCutsOf(sql).map(({ what }) => what)).toEqual([
      'primary key of t dropped',
      'unique (a, b) of t dropped',
      'primary key (c) of t dropped',
      'unique of i dropped',
    ])
  })
})

it('B17: finds what keeps names from being empty', () => {
  const sql = `create table s.t (id text check (id <> ''), n integer check (n > 0), u text check (u <> ''));`
  expect(nameCutsOf(sql).map(({ what }) => what)).toEqual([
    "check (id <> '') of t dropped",
    "check (u <> '') of t dropped",
  ])
})

describe.each(['sqlite', 'postgres'] as const)('the mutants of %s', (store) => {
  const mutants = mutantsOf(store)

  it('have names of their own', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })

  it.each([
    'claim',
    'extend',
    'expired',
    'Fence|lockActions',
    'fence.ts',
    'cancel',
    'updateExecution',
    'nbox',
    'imers',
    'edup',
  ])('are made of what is called %s', (word) => {
    expect(mutants.some(({ name }) => new RegExp(word).test(name))).toBe(true)
  })
})

it('every mutant that is said to change nothing is still one', () => {
  const names = new Set((['sqlite', 'postgres'] as const).flatMap(mutantsOf).map(({ name }) => name))
  expect([...EQUIVALENT].filter((name) => !names.has(name))).toEqual([])
})
