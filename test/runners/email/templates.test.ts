import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { at, onEachStore } from '../../engine/bed.ts'

onEachStore('mail templates', (bed) => {
  const MAIL = {
    to: 'ada@example.com',
    from: 'b@example.com',
    template: 'lease/notice',
    variables: { name: '<Ada>' },
  }

  it('are kept in the store, come before those of files, and are previewed as they are sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-templates-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'welcome.html.liquid'), '<p>Welcome {{ name }}</p>')
    writeFileSync(join(folder, 'welcome.subject.liquid'), 'Hi')
    const pawl = await bed.open({ provider: 'sandbox', templates: folder })
    const preview = (name: string) => pawl.templates.preview(name, { name: '<Ada>' })
    expect(await preview('welcome')).toEqual({
      subject: 'Hi',
      html: '<p>Welcome &lt;Ada&gt;</p>',
      text: 'Welcome <Ada>',
    })
    await pawl.templates.put('lease/notice', { subject: 'Notice', html: '<b>{{ name }}</b>' })
    await pawl.templates.put('welcome', { text: 'stored {{ name }}' })
    expect(await preview('welcome')).toEqual({ text: 'stored <Ada>' })
    expect(await pawl.templates.list()).toEqual([
      { name: 'lease/notice', updatedAt: at(0) },
      { name: 'welcome', updatedAt: at(0) },
    ])

    await pawl.dispatch({ type: 'email', config: MAIL, options: {} })
    await pawl.advance({ by: '1s' })
    const [sent] = (await pawl.outbox.list()).data
    const shown = await preview('lease/notice')
    expect(sent!.preview).toMatchObject({ subject: shown!.subject, html: shown!.html })

    expect(await pawl.tenant('other').templates.get('lease/notice')).toBeUndefined()
    expect([await pawl.templates.remove('lease/notice'), await preview('lease/notice')]).toEqual([
      true,
      undefined,
    ])
    expect(await pawl.templates.get('welcome')).toEqual({ text: 'stored {{ name }}' })
  })

  it.each([
    ['../x', { text: 'x' }, 'is no name'],
    ['x', {}, 'neither html nor text'],
    ['x', { html: '{% if %}' }, 'html'],
    ['x', { subject: '{{ a | nothing }}', text: 'x' }, 'nothing'],
    ['x', { text: '{% include "y" %}' }, 'include'],
  ])('%j %j is refused when it is put: %s', async (name, template, said) => {
    const pawl = await bed.open()
    await expect(pawl.templates.put(name, template)).rejects.toMatchObject({
      code: 'invalid_template',
      message: expect.stringContaining(said),
    })
    expect(await pawl.templates.list()).toEqual([])
  })

  it('S24: a preview that names what is not there says so', async () => {
    const pawl = await bed.open()
    await pawl.templates.put('x', { text: '{{ constructor.name }}' })
    await expect(pawl.templates.preview('x')).rejects.toMatchObject({ code: 'invalid_template' })
  })
})
