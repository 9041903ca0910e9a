// Owns what all commands share: the flags each of them has, and the way from commander's call to a session, a function and
// an exit code.

import { Command, Option } from 'commander'
import { readEnvironment } from '../config/environment.ts'
import { EXIT, fail } from './fail.ts'
import type { Options } from './given.ts'
import { openSession, type Session, terminalOf } from './session.ts'

/** Does the work; a number is the exit code, anything else is success. */
export type Handler = (session: Session, ...args: string[]) => Promise<unknown>

/** Flags every command has. */
const common = (command: Command): Command =>
  command
    .option('--config <file>', 'settings: pawl.config.ts, pawl.toml or pawl.json')
    .option('--store <url>', 'work on a store: sqlite:./pawl.db or postgres://…')
    .option('--namespace <name>', 'whose rows')
    .option('--tenant <name>', 'whose rows')
    .option('--json [fields]', 'print JSON; with fields: only these, as id,status')
    .option('--jsonl', 'print one JSON object per line')
    .addOption(new Option('--color <when>', 'colour').choices(['auto', 'always', 'never']))
    .addOption(new Option('--time <style>', 'how times are shown').choices(['relative', 'iso', 'unix']))
    .option('--tz <zone>', 'the zone times are shown in')
    .option('-q, --quiet', 'say nothing but data and errors')
    .option('--no-input', 'never ask: a question is an error')
    .option('-y, --yes', 'answer yes to every question')

/** Flags of commands that speak to a server. */
export const remote = (command: Command): Command =>
  command
    .option('--server <url>', 'the server to speak to (PAWL_URL)')
    .option('--token <key>', 'the key to speak with (PAWL_TOKEN)')
    .option('--profile <name>', 'a server of `pawl profile` (PAWL_PROFILE)')
    .option('--explain', 'print the HTTP request instead of sending it')

/** A command below another, with the flags of all. Usage errors are thrown, so that the exit code is ours. */
export const sub = (parent: Command, usage: string, about: string): Command => {
  const command = common(new Command(usage.split(' ')[0]))
    .description(about)
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError('(--help shows what there is)')
  for (const argument of usage.split(' ').slice(1)) command.argument(argument)
  parent.addCommand(command)
  return command
}

/** A word with commands below it. */
export const group = (parent: Command, name: string, about: string): Command => {
  const command = new Command(name)
    .description(about)
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
  parent.addCommand(command)
  return command
}

/** Runs a handler with a session of its own, and ends the process with what came of it. */
export const run =
  (handler: Handler) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.opts() as Options
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value) => value !== undefined)
    process.exitCode = await outcomeOf(handler, options, args as string[])
  }

const outcomeOf = async (handler: Handler, options: Options, args: readonly string[]): Promise<number> => {
  let session: Session | undefined
  try {
    session = await openSession(options)
    const exit = await handler(session, ...args)
    return typeof exit === 'number' ? exit : EXIT.ok
  } catch (error) {
    const env = readEnvironment()
    return fail(error, session?.terminal ?? terminalOf(options, env), (env['PAWL_DEBUG'] ?? '') !== '')
  } finally {
    await session?.close()
  }
}

/** Examples first: they are what is looked for. */
export const examples = (command: Command, ...lines: readonly string[]): Command =>
  command.addHelpText('before', `${lines.map((line) => `  $ ${line}`).join('\n')}\n`)
