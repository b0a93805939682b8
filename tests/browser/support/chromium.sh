#!/bin/sh
# Starts the Chromium at SHOP_CHROMIUM. A full one draws the list of its address bar as a page in a process of its own, for each
# window: 0.4 s of processor time for each test. A Chromium takes the last --disable-features alone, so that these
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
