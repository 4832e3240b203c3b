#!/usr/bin/env python3
"""Writes what --help of a program says as man pages and as completions for bash and zsh, so that neither can say anything else.
Usage: documents.py PROGRAM FOLDER (made, with man1/, man5/, bash/, zsh/)"""
import gzip
import pathlib
import re
import subprocess
import sys


class Command:
    """One command as its --help describes it; `path`: the words behind callisto."""

    def __init__(self, program, path):
        self.path = path
        text = subprocess.run([program, *path, "--help"], check=True, capture_output=True, text=True).stdout
        text, _, self.settings = text.partition("\nSettings (callisto.lua")
        head, _, rest = text.partition("Usage: ")
        self.about = " ".join(head.split())
        self.usage, _, rest = rest.partition("\n")
        self.sections, self.notes = read_sections(rest)
        self.commands = [Command(program, [*path, name]) for name, _ in self.sections.get("Subcommands", [])]

    def all(self):
        yield self
        for command in self.commands:
            yield from command.all()

    def options(self):
        """(spellings, whether a value follows, its choices, what it is for)"""
        for term, about in self.sections.get("Options", []):
            spelled, _, kind = re.sub(r" (Excludes|Needs): .*", "", term).partition(" ")
            choices = re.search(r"\{([^}]*)\}", kind)
            yield spelled.split(","), bool(kind), choices[1].split(",") if choices else [], about


def read_sections(text):
    """Sections as {title: [(term, description)]}, and the notes behind them."""
    sections, lines = {}, text.split("\n")
    at, current = 0, None
    while at < len(lines):
        line = lines[at]
        if re.fullmatch(r"(Options|Subcommands|Positionals):", line):
            current = sections.setdefault(line[:-1], [])
        elif line.startswith("  ") and current is not None:
            if line.startswith(" " * 20) and current:
                term, about = current[-1]
                current[-1] = (term, f"{about} {line.strip()}".strip())
            else:
                term, _, about = line.strip().partition("  ")
                current.append((term, about.strip()))
        elif line and current is not None:
            break
        at += 1
    return sections, "\n".join(lines[at:]).strip("\n")


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def terms(pairs):
    return "".join(f".TP\n.B {roff(term)}\n{roff(about)}\n" for term, about in pairs)


def described(command):
    name = " ".join(["callisto", *command.path])
    text = f".SS {roff(name)}\n{roff(command.about)}.\n.PP\nUsage: {roff(command.usage)}\n"
    text += terms(command.sections.get("Positionals", []))
    text += terms(pair for pair in command.sections.get("Options", []) if not pair[0].startswith("-h,"))
    if command.notes:
        text += f".PP\n.nf\n{roff(command.notes)}\n.fi\n"
    return text


def settings_of(root):
    lines = [line for line in root.settings.split("\n") if line.startswith("  ")]
    return [tuple(re.fullmatch(r"  (\S+) +(.+)", line).groups()) for line in lines]


def man_pages(root, version):
    title = lambda name, section: f'.TH {name} {section} "" "Callisto {version}" "Callisto"\n'
    program = title("CALLISTO", 1) + f""".SH NAME
callisto \\- {roff(root.about.split(": ")[1].rstrip("."))}
.SH SYNOPSIS
.B callisto
[options] command [options]
.SH OPTIONS
These may stand behind a command too.
{terms(root.sections["Options"])}.SH COMMANDS
{terms(root.sections["Subcommands"])}.SH DETAILS
{"".join(described(command) for command in root.all() if command.path and not command.commands)}.SH EXIT STATUS
0 done, 1 refused or failed, 2 wrong usage, unless a command says otherwise.
.SH FILES
.TP
.B /etc/callisto/callisto.lua
Settings, of the installed program, where the folder at hand has no callisto.lua.
.TP
.B /var/lib/callisto
The data of the service.
.SH SEE ALSO
.BR callisto.lua (5)
"""
    settings = title("CALLISTO.LUA", 5) + f""".SH NAME
callisto.lua \\- settings of callisto
.SH DESCRIPTION
A Lua file that returns a table:
.PP
.nf
return {{ listen = "127.0.0.1:8080", ["log.level"] = "debug", entities = {{ "entities", "mine" }} }}
.fi
.PP
CALLISTO_LOG_LEVEL in the environment counts before the file, and \\-\\-set log.level=debug before both. A secret may stand in a file that
CALLISTO_SSO_SECRET_FILE names, or be a systemd credential of its setting\\(aqs name.
.B callisto settings
shows what counts and where it came from.
.SH SETTINGS
{terms(settings_of(root))}.SH SEE ALSO
.BR callisto (1)
"""
    return {"man1/callisto.1": program, "man5/callisto.lua.5": settings}


def words_of(command):
    options = [spelled for option, *_ in command.options() for spelled in option]
    return [*(name for name, _ in command.sections.get("Subcommands", [])), *options]


def bash(root):
    """The words so far lead to a command; it says which words may follow."""
    standing = [spelled for option, *_ in root.options() for spelled in option if spelled != "--version"]
    cases = "".join(f'    "{" ".join(command.path)}") words="{" ".join(dict.fromkeys([*words_of(command), *standing]))}" ;;\n'
                    for command in root.all())
    paths = " ".join(f'"{" ".join(command.path)}"' for command in root.all() if command.path)
    choices = "".join(f'    "{" ".join(command.path)} {spelled}") COMPREPLY=($(compgen -W "{" ".join(given)}" -- "$current")); return ;;\n'
                      for command in root.all() for option, _, given, _ in command.options() if given for spelled in option)
    settings = " ".join(f"{name}=" for name, _ in settings_of(root))
    return f"""# Completion of callisto for bash; made by packaging/documents.py from --help.
_callisto() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} path="" word words=""
  local -a paths=({paths})
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    local further="${{path:+$path }}$word" known
    for known in "${{paths[@]}}"; do
      if [ "$known" = "$further" ]; then path=$further; fi
    done
  done
  case "$path $previous" in
{choices}    *" --set") COMPREPLY=($(compgen -W "{settings}" -- "$current")); compopt -o nospace 2>/dev/null; return ;;
    *" --data") COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  case "$path" in
{cases}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _callisto callisto
"""


def zsh_quoted(text):
    return text.replace("'", "'\\''").replace(":", "\\:")


def zsh(root):
    cases = ""
    for command in root.all():
        lines = [f"'{name}:{zsh_quoted(about)}'" for name, about in command.sections.get("Subcommands", [])]
        lines += [f"'{spelled}:{zsh_quoted(about)}'" for option, _, _, about in command.options() for spelled in option]
        cases += f"    '{' '.join(command.path)}') words_here=({' '.join(lines)}) ;;\n"
    paths = " ".join(f"'{' '.join(command.path)}'" for command in root.all() if command.path)
    settings = " ".join(f"{name}=" for name, _ in settings_of(root))
    return f"""#compdef callisto
# Completion of callisto for zsh; made by packaging/documents.py from --help.
_callisto() {{
  local chosen="" word
  local -a words_here paths=({paths})
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    if (( ${{paths[(Ie)${{chosen:+$chosen }}$word]}} )); then chosen="${{chosen:+$chosen }}$word"; fi
  done
  case "${{words[CURRENT-1]}}" in
    --set) compadd -S '' -- {settings}; return ;;
    --data) _files -/; return ;;
  esac
  case "$chosen" in
{cases}  esac
  _describe -t words 'callisto' words_here || _files
}}
_callisto "$@"
"""


def main(program, folder):
    root = Command(program, [])
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[1].rstrip(",")
    files = {**{name: text for name, text in man_pages(root, version).items()}, "bash/callisto": bash(root), "zsh/_callisto": zsh(root)}
    for name, text in files.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.startswith("man"):
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        else:
            path.write_text(text)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2])
