import { useEffect, useState } from 'react';
import { AdminError } from '#services/admin/admin-error.ts';
import { secondFactorApi } from './domain/second-factor.ts';
import { callAdmin } from '#services/admin/api.ts';
import { createQrCode } from './create-qr-code.ts';
import { Field } from '#islands/shared/Field.tsx';
import { useForm } from '#islands/shared/use-form.ts';
import { DialogForm } from '#islands/admin/shared/DialogForm.tsx';
import { useAction } from '#islands/admin/shared/use-action.ts';
import { copyText } from './copy-text.ts';

interface SetUpDialogProps {
  /** Base32. */
  secret: string;
  /** `otpauth://…` */
  uri: string;
  onDone: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

/** Gives the secret to an authenticator app, and asks for its first code. */
export function SetUpDialog({ secret, uri, onDone, onClose }: SetUpDialogProps) {
  const action = useAction();
  const { values, ref, bind, refuse } = useForm(() => ({ code: '' }));
  const send = async () => {
    if (values.code.trim() === '') {
      refuse({ code: 'Enter the code' });
      return;
    }
    await action.run('Two-step login is still off', async () => {
      try {
        onDone(
          (await callAdmin(secondFactorApi.turnOn, { body: { code: values.code } })).recoveryCodes,
        );
      } catch (error) {
        if (!(error instanceof AdminError) || error.code !== 'wrong_code') throw error;
        refuse({ code: 'Wrong code. Enter the next one.' });
        // The focus alone leaves the message under the buttons.
        ref.current?.querySelector('.field-error')?.scrollIntoView({ block: 'nearest' });
      }
    });
  };
  return (
    <DialogForm
      title="Set up two-step login"
      form={ref}
      action={action}
      submitText="Turn on"
      busyText="Checking…"
      dismissText="Cancel"
      onClose={onClose}
      onSubmit={() => void send()}
    >
      <div className="grid gap-3 text-sm/relaxed">
        <p className="text-ink-700">
          1. Add the shop to an authenticator app on your phone, such as Google Authenticator or
          Microsoft Authenticator. Scan this image. On the phone itself, press the button below it.
        </p>
        <QrCode text={uri} />
        <a className="btn btn-secondary justify-self-start" href={uri}>
          Open in authenticator app
        </a>
        <div className="grid gap-1">
          <p className="text-ink-700">Or type this key into the app:</p>
          <p className="font-medium tracking-wide break-words tabular-nums">
            {secret.replaceAll(/.{4}(?=.)/gu, '$& ')}
          </p>
          <button
            type="button"
            className="link min-h-11 cursor-pointer justify-self-start text-ink-700"
            onClick={() => void copyText(secret, 'Key copied')}
          >
            Copy key
          </button>
        </div>
      </div>
      <Field
        {...bind('code')}
        label="2. Enter the 6-digit code that the app shows"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </DialogForm>
  );
}

/** A QR code on white, with the quiet zone of four modules that scanners need. */
function QrCode({ text }: { text: string }) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    let current = true;
    createQrCode(text).then(
      (made) => {
        if (current) setCode(made);
      },
      (error: unknown) => {
        // The link and the key do the same.
        console.warn('The QR code could not be loaded', error);
      },
    );
    return () => {
      current = false;
    };
  }, [text]);
  const size = (code?.size ?? 45) + 8;
  return (
    <svg
      className="size-48 border border-line bg-white"
      viewBox={`-4 -4 ${String(size)} ${String(size)}`}
      role="img"
      aria-label="QR code for the authenticator app"
      shapeRendering="crispEdges"
    >
      {code === null ? null : <path d={code.path} />}
    </svg>
  );
}
