// Planted trees for the laws of the docs.

import { commands, links } from '../docs.ts'
import type { Planted } from './planted.ts'

const MANIFEST = { 'package.json': '{ "scripts": { "test": "x", "bench": "x" } }', 'scripts/setup.mjs': '' }
const linked = (title: string, text: string, ...expect: readonly string[]): Planted => ({
  law: links,
  title,
  tree: { 'README.md': '# Pawl\n\n## Two commands\n\n## Two commands', 'src/a.ts': '', 'docs/a.md': text },
  expect: expect.map((found) => `docs/a.md:${found}`),
})
const told = (title: string, text: string, ...expect: readonly string[]): Planted => ({
  law: commands,
  title,
  tree: { ...MANIFEST, 'docs/a.md': text },
  expect: expect.map((found) => `docs/a.md:${found}`),
})

export const plantedDocs: readonly Planted[] = [
  linked('a page that is not there', 'see\n[b](b.md)', '2 b.md leads nowhere'),
  linked('from the wrong folder', '[r](README.md)', '1 README.md leads nowhere'),
  linked(
    'a heading that is not there',
    '[r](../README.md#three)',
    '1 ../README.md#three: README.md has no such heading',
  ),
  linked('in its own page', '# A\n\n[r](#b)', '3 #b: docs/a.md has no such heading'),
  linked('a reference', '[r][1]\n\n[1]: ./c.md "c"', '3 ./c.md leads nowhere'),
  linked(
    'an image, a tag',
    '![x](x.png)\n<a href="y.md">y</a>',
    '1 x.png leads nowhere',
    '2 y.md leads nowhere',
  ),
  linked('out of the repository', '[r](../../x.md)', '1 ../../x.md leads nowhere'),
  linked(
    'sound',
    '[a](../README.md#two-commands-1) [b](../src/) [root](..) [c](../src/a.ts#L3) [d](https://example.com/x) [e](mailto:a@b.c)',
  ),
  linked('in code', '`[a](b.md)`\n\n```md\n[a](b.md)\n```\n'),
  told('a script that is not there', '```sh\nnpm ci\nnpm run bnech\n```', '3 the command npm run bnech'),
  told('in a line', 'run `npm run --silent check` first', '1 the command npm run check'),
  told('start', 'run `npm start`', '1 the command npm start'),
  told(
    'a file that is not there',
    '```\n$ node scripts/setup.ts\n```',
    '2 the command node scripts/setup.ts',
  ),
  told(
    'sound',
    '```sh\nnpm test && npm run bench -- --quick\nnode scripts/setup.mjs\n```\nIn prose npm run nothing.',
  ),
]
