"""The grammar that reads claims from sentences of prose: `docs/CLAIMS.md` documents it."""
