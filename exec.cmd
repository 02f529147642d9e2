@rem On Windows, what `exec` is in a POSIX shell: the scripts of package.json start with it. See docs/GOTCHAS.md.
@%*
