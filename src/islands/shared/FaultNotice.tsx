import { Component, type ComponentType, type ReactNode } from 'react';

/** Draws its children, or, when drawing them failed, a sentence in their place: React itself would leave an empty page. */
export class FaultNotice extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="notice notice-danger my-5" role="alert">
        <p>
          Sorry, this part of the page cannot be shown. Nothing is lost: carts, orders and payments
          are safe.
        </p>
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => {
            window.location.reload();
          }}
        >
          Load the page again
        </button>
      </div>
    );
  }
}

/** The root of an island, with the notice in its place when it cannot be drawn. */
export function withFaultNotice<P extends object>(Island: ComponentType<P>): ComponentType<P> {
  return function IslandOrNotice(props: P) {
    return (
      <FaultNotice>
        <Island {...props} />
      </FaultNotice>
    );
  };
}
