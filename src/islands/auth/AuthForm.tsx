import { useIsClient } from '../shared/use-is-client.ts';
import { AuthPanel } from './AuthPanel.tsx';
import { modeTexts } from './auth-texts.ts';
import { withFaultNotice } from '../shared/FaultNotice.tsx';

/** Login, sign-up, forgotten and new password (spec section 2, Auth). Renders the form in the browser, which knows the URL. */
function AuthForm() {
  if (useIsClient()) return <AuthPanel />;
  return (
    <div className="panel min-h-[33rem] sm:min-h-[35.5rem]" aria-busy="true">
      <h1 className="page-title">{modeTexts.login.title}</h1>
      <p className="mt-2 text-ink-700">{modeTexts.login.lead}</p>
    </div>
  );
}

export default withFaultNotice(AuthForm);
