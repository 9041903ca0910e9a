import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOfHtml } from './html-text.ts'

describe('the text of HTML', () => {
  it.each([
    ['', ''],
    ['plain', 'plain'],
    ['<p>One</p><p>Two<br>Three</p>', 'One\n\nTwo\nThree'],
    ['<h1>Title</h1>\n  <p>a   b\n c</p>', 'Title\n\na b c'],
    ['<ul><li>a</li><li>b</li></ul>', '- a\n\n- b'],
    ['<a href="https://x.example/?a=1&amp;b=2">here</a>', 'here (https://x.example/?a=1&b=2)'],
    ["<a href='https://x.example'>https://x.example</a>", 'https://x.example'],
    ['<a href=https://x.example>x</a> <a name="y">y</a> <a href="#z">z</a>', 'x (https://x.example) y z'],
    [
      '<a href="https://a.example">a<a href="https://b.example">b</a>',
      'a (https://a.example)b (https://b.example)',
    ],
    ['<head><title>t</title></head><style>p { a > b }</style><script>1 < 2</script>x', 'x'],
    ['a<!-- <p>hidden</p> -->b', 'ab'],
    [
      '1 < 2 &lt; 3 &amp;&nbsp;4 &#8364; &#x20AC; &unknown; &#0; &#xD800;',
      '1 < 2 < 3 & 4 € € &unknown; \uFFFD \uFFFD',
    ],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
    ['<p>a</p><p', 'a'],
    ['<!doctype html><p>x</P>', 'x'],
    ['<', '<'],
    ['a <', 'a <'],
    ['<style>never closed', ''],
  ])('%s', (html, text) => {
    expect(textOfHtml(html)).toBe(text)
  })

  it('ends for anything, and leaves no tag that was one', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<a href="x">',
      '</a>',
      '<!--',
      '-->',
      '<',
      '>',
      '&amp;',
      'x',
      ' ',
      '"',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(textOfHtml(pieces.join(''))).not.toMatch(/<\/?(p|a)[ >]/)
      }),
      { numRuns: 3000 },
    )
  })

  it('S29: takes time in proportion to its length', () => {
    for (const hostile of ['<a href="x">', '<!--', '<', '<a ', '&', '\n', '<a href', ' <p', '&#']) {
      const html = hostile.repeat(200_000 / hostile.length)
      expect(textOfHtml(html).length).toBeLessThan(4 * html.length)
    }
  })
})
