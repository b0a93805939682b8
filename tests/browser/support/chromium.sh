#!/bin/sh
# Starts the Chromium at SHOP_CHROMIUM. A full one draws the list of its address bar as a page in a process of its own, for each
# window: a sixth of all processor time of the browser tests. A Chromium takes the last --disable-features alone, so that these
# are added to Playwright's.
for argument in "$@"; do
  shift
  case "$argument" in
    --disable-features=*)
      argument="$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup"
      ;;
  esac
  set -- "$@" "$argument"
done
exec "$SHOP_CHROMIUM" "$@"
