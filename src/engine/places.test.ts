import { expect, it } from 'vitest'
import { createPlaces } from './places.ts'

const make = (name: string) => ({ name, place: -1 })

it('those that are there, each once, whoever leaves', () => {
  const places = createPlaces<ReturnType<typeof make>>()
  const [a, b, c] = [make('a'), make('b'), make('c')] as const
  for (const one of [a, b, c, b]) places.add(one)
  expect(places.size()).toBe(3)
  expect(places.delete(a)).toBe(true)
  expect(places.delete(a)).toBe(false)
  expect(places.has(a)).toBe(false)
  expect(new Set(places.all())).toEqual(new Set([b, c]))
  expect(places.delete(c)).toBe(true)
  expect(places.all()).toEqual([b])
  places.add(a)
  expect(places.delete(b)).toBe(true)
  expect(places.all()).toEqual([a])
})

it('one of another list is not there, though it has a place', () => {
  const [here, there] = [createPlaces<ReturnType<typeof make>>(), createPlaces<ReturnType<typeof make>>()]
  const one = make('one')
  here.add(make('two'))
  there.add(one)
  expect(here.has(one)).toBe(false)
  expect(here.delete(one)).toBe(false)
})

it('the list it tells is the caller’s: it does not change under whoever goes through it', () => {
  const places = createPlaces<ReturnType<typeof make>>()
  for (const name of ['a', 'b', 'c']) places.add(make(name))
  for (const one of places.all()) places.delete(one)
  expect(places.size()).toBe(0)
})
