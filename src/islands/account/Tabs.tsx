import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly Name[];
  active: Name;
  onTab: (tab: Name) => void;
  children: ReactNode;
}

const tabClass =
  'min-h-12 cursor-pointer border-b-2 border-transparent font-medium text-ink-500 hover:text-ink-900 ' +
  'aria-selected:border-accent-500 aria-selected:text-ink-900 forced-colors:not-aria-selected:border-[Canvas]';

/** Tabs by the ARIA pattern: arrows, Home and End move between them, the panel is the next stop. */
export function Tabs<Name extends string>({
  label,
  tabs,
  active,
  onTab,
  children,
}: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const move = (event: KeyboardEvent) => {
    const at = tabs.indexOf(active);
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const tab = tabs[targets[event.key] ?? -1];
    if (tab === undefined) return;
    event.preventDefault();
    onTab(tab);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(tab)]?.focus();
  };

  return (
    <>
      <div
        className="flex gap-8 border-b border-line"
        role="tablist"
        aria-label={label}
        ref={list}
        onKeyDown={move}
      >
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            className={tabClass}
            id={`${id}-${tab}`}
            aria-selected={tab === active}
            aria-controls={`${id}-panel`}
            tabIndex={tab === active ? 0 : -1}
            onClick={() => {
              onTab(tab);
            }}
          >
            {tab}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
