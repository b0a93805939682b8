/** The way back from a view that is reached from More. */
export function BackToMore() {
  return (
    <a href="#more" className="inline-block py-2.5 text-sm/relaxed">
      <span aria-hidden="true">← </span>
      <span className="link">More</span>
    </a>
  );
}
