#!/bin/sh
# What a package holds beside the program, in FOLDER as it lies on a machine. Usage: stage.sh PROGRAM FOLDER
set -eu
cd "$(dirname "$0")/.."
program=$1 root=$2
umask 022
rm -rf "$root"
documents=$root.documents
python3 packaging/documents.py "$program" "$documents"
put() { install -D -m "$1" "$2" "$root/$3"; }
put 644 packaging/callisto.lua etc/callisto/callisto.lua
put 644 packaging/callisto.service lib/systemd/system/callisto.service
put 644 packaging/callisto.socket lib/systemd/system/callisto.socket
put 644 "$documents/man1/callisto.1.gz" usr/share/man/man1/callisto.1.gz
put 644 "$documents/man5/callisto.lua.5.gz" usr/share/man/man5/callisto.lua.5.gz
put 644 "$documents/bash/callisto" usr/share/bash-completion/completions/callisto
put 644 "$documents/zsh/_callisto" usr/share/zsh/vendor-completions/_callisto
for file in README.md engine/app/OPERATING.md CHANGELOG.md SECURITY.md packaging/Containerfile packaging/kubernetes.yaml; do
  put 644 "$file" "usr/share/doc/callisto/$(basename "$file")"
done
put 644 LICENSE usr/share/doc/callisto/copyright
rm -rf "$documents"
