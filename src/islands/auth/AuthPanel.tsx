import { modeTexts, setsPassword } from './auth-texts.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { SignInQuestion } from './SignInQuestion.tsx';
import { useAuthMode } from './use-auth-mode.ts';

const toggles = {
  login: { text: "Don't have an account? Sign up", to: 'signup' },
  signup: { text: 'Already have an account? Login', to: 'login' },
  forgot: { text: 'Back to login', to: 'login' },
} as const;

/** The form of the current mode with its title and links to the other modes. Browser only. */
export function AuthPanel() {
  const { mode, setMode, next, waiting, question, leave } = useAuthMode();
  const texts = modeTexts[mode];
  if (question) {
    return (
      <div className="panel min-h-[33rem] sm:min-h-[35.5rem]">
        <SignInQuestion {...question} />
      </div>
    );
  }
  const toggle = setsPassword(mode) ? null : toggles[mode];
  return (
    <div className="panel min-h-[33rem] sm:min-h-[35.5rem]">
      {waiting ? (
        <p className="flex items-center gap-3 text-ink-700" role="status">
          <span className="spinner text-gold-700" aria-hidden="true" /> One moment, please…
        </p>
      ) : (
        <>
          <h1 className="page-title">{texts.title}</h1>
          <p className="mt-2 text-ink-700">{texts.lead}</p>
          <CredentialsForm mode={mode} next={next} onMode={setMode} onLeave={leave} />
          {toggle ? (
            <p className="mt-6 text-center">
              <button
                type="button"
                className="link py-2.5"
                onClick={() => {
                  setMode(toggle.to);
                }}
              >
                {toggle.text}
              </button>
            </p>
          ) : null}
        </>
      )}
    </div>
  );
}
