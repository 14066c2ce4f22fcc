import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './fields.tsx';

interface Props {
  readonly title: string;
  /** A sentence about the use of the secret. */
  readonly description: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret that the platform returns only once. Only the button `I have stored it` closes the dialog. */
export function SecretDialog({ title, description, secret, onClose }: Props) {
  return (
    <Dialog title={title} isOpen onClose={onClose} isDismissable={false}>
      <p>{description} Copy it now: it is not shown again.</p>
      <Field label="Secret">
        {(control) => <input {...control} readOnly value={secret} onFocus={(event) => event.currentTarget.select()} />}
      </Field>
      <div className="dialog-actions">
        <CopyButton text={secret} label="Copy the secret" done="The secret is copied." />
        <Button variant="primary" onPress={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}
