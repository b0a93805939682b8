/** The way back from a view that is reached from Today. */
export function BackToToday() {
  return (
    <a href="#" className="inline-block py-2.5 text-sm/relaxed">
      <span aria-hidden="true">← </span>
      <span className="link">Today</span>
    </a>
  );
}
