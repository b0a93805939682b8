import { unkeptWords } from '#domain/unkept.ts';
import { sellerChat } from '#domain/seller-chat.ts';
import { shop } from '#settings/shop.ts';

/** Stands in place of a login that would end with this page. */
export function UnkeptLogin() {
  return (
    <>
      <h1 className="page-title">Login</h1>
      <p className="mt-4 text-ink-700">You cannot stay logged in here. {unkeptWords}</p>
      <p className="mt-4 text-ink-700">
        Or order without an account: write to us which pieces you would like.
      </p>
      <a
        className="btn btn-primary btn-block mt-6"
        href={sellerChat(`Hello ${shop.name}, I would like to order: `)}
        target="_blank"
        rel="noopener noreferrer"
      >
        Order on WhatsApp<span className="visually-hidden"> (opens in a new tab)</span>
      </a>
    </>
  );
}
