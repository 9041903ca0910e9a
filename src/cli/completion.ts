// Owns `pawl completion`: what a shell needs to complete commands and flags, made of the commands themselves, so that it is
// never behind them.

import type { Command } from 'commander'
import { PawlError } from '../core/errors.ts'
import { run, sub } from './command.ts'

interface Words {
  /** `dead replay`, or empty for what comes first. */
  readonly path: string
  readonly names: readonly string[]
  readonly flags: readonly string[]
}

const wordsOf = (command: Command, path: readonly string[] = []): readonly Words[] => {
  const flags = command.options.flatMap(({ long, hidden }) => (long === undefined || hidden ? [] : [long]))
  const names = command.commands.map((each) => each.name())
  const inner = command.commands.flatMap((each) => wordsOf(each, [...path, each.name()]))
  return [{ path: path.join(' '), names, flags: [...new Set([...flags, '--help'])] }, ...inner]
}

const bash = (all: readonly Words[]): string => {
  const cases = all.map(
    ({ path, names, flags }) => `    "${path}") words="${[...names, ...flags].join(' ')}" ;;`,
  )
  return `# pawl completion bash > /etc/bash_completion.d/pawl, or: source <(pawl completion bash)
_pawl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ "\${path// /}" = "$path" ] && path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
    *) path="\${path%% *}"; case "$path" in
${cases.filter((line) => !/"\S+ \S+"\)/.test(line)).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pawl pawl
`
}

const zsh = (all: readonly Words[]): string => `#compdef pawl
# pawl completion zsh > "\${fpath[1]}/_pawl", or: source <(pawl completion zsh)
autoload -U +X bashcompinit && bashcompinit
${bash(all)}`

const fish = (all: readonly Words[]): string => {
  const line = ({ path, names, flags }: Words): readonly string[] => {
    const [first, second] = path.split(' ')
    const seen = (word: string | undefined): string => (word ? `__fish_seen_subcommand_from ${word}` : '')
    const isHere =
      path === '' ? '__fish_use_subcommand' : [seen(first), seen(second)].filter(Boolean).join('; and ')
    const rest =
      names.length > 0 && path !== '' ? `; and not __fish_seen_subcommand_from ${names.join(' ')}` : ''
    return [
      ...(names.length > 0 ? [`complete -c pawl -n '${isHere}${rest}' -f -a '${names.join(' ')}'`] : []),
      ...flags.map((flag) => `complete -c pawl -n '${isHere}' -l ${flag.slice(2)}`),
    ]
  }
  return `# pawl completion fish > ~/.config/fish/completions/pawl.fish\n${all.flatMap(line).join('\n')}\n`
}

const SHELLS: Readonly<Record<string, (all: readonly Words[]) => string>> = { bash, zsh, fish }

export const addCompletion = (program: Command): void => {
  sub(
    program,
    'completion <shell>',
    'Print what bash, zsh or fish needs to complete commands and flags',
  ).action(
    run(async ({ terminal }, shell) => {
      const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
      if (write === undefined)
        throw new PawlError('invalid_option', `“${shell.slice(0, 80)}” is no shell that is known`, {
          expected: Object.keys(SHELLS).join(', '),
        })
      terminal.print(write(wordsOf(program)).trimEnd())
    }),
  )
}
