import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button, CopyButton } from './button.tsx';
import { Field } from './fields.tsx';
import { ErrorNotice, QueryView } from './states.tsx';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether Escape and a click outside of the dialog close it (default true). */
  readonly isDismissable?: boolean;
  readonly children: ReactNode;
}

/** A dialog that keeps the focus until it is closed. */
export function Dialog({ title, isOpen, onClose, isDismissable = true, children }: Props) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
    >
      <Modal className="overlay-panel">
        <AriaDialog className="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface FormDialogProps extends Props {
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  /** Runs the action of the form. If it fails, the dialog shows the error. */
  readonly onSubmit: () => Promise<unknown>;
  /** Whether success closes the dialog (default true). */
  readonly closesAfterSubmit?: boolean;
}

/**
 * A dialog with a form. With a text in place of fields, it asks for confirmation. It stays open while its request runs,
 * because the reply may have a secret that is shown once.
 */
export function FormDialog({ title, isOpen, isDismissable = true, ...form }: FormDialogProps) {
  const [isPending, setPending] = useState(false);
  return (
    <Dialog title={title} isOpen={isOpen} isDismissable={isDismissable && !isPending} onClose={form.onClose}>
      <DialogForm {...form} isPending={isPending} onPendingChange={setPending} />
    </Dialog>
  );
}

interface DialogFormProps extends Omit<FormDialogProps, 'title' | 'isOpen' | 'isDismissable'> {
  readonly isPending: boolean;
  readonly onPendingChange: (isPending: boolean) => void;
}

/** The form of a dialog. It forgets its error when the dialog is closed. */
function DialogForm({
  submitLabel,
  isDangerous = false,
  onSubmit,
  closesAfterSubmit = true,
  onClose,
  isPending,
  onPendingChange,
  children,
}: DialogFormProps) {
  const [error, setError] = useState<unknown>();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isPending) return;
    onPendingChange(true);
    setError(undefined);
    try {
      await onSubmit();
      if (closesAfterSubmit) onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      onPendingChange(false);
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {children}
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="dialog-actions">
        <Button isDisabled={isPending} onPress={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} isPending={isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** A record as it was read, with the `ETag` for changes of this state. */
export interface RecordWithEtag<T> {
  readonly record: T;
  readonly etag: string;
}

interface RecordLoaderProps<T> {
  readonly queryKey: readonly unknown[];
  /** Requests the record. */
  readonly read: (signal: AbortSignal) => Promise<{ readonly data: T; readonly response: Response }>;
  /** Title of the dialog. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (fresh: RecordWithEtag<T>) => ReactNode;
}

/** Reads a record when a dialog opens, so that a change by somebody else is neither lost nor overlooked. */
export function RecordLoader<T>({ queryKey, read, title, onClose, children }: RecordLoaderProps<T>) {
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<RecordWithEtag<T>> => {
      const { data, response } = await read(signal);
      return { record: data, etag: response.headers.get('etag') ?? '*' };
    },
    // Do not reuse the state that an earlier dialog has read.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data !== undefined) return <>{children(query.data)}</>;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <QueryView query={query}>{() => null}</QueryView>
    </Dialog>
  );
}

interface SecretDialogProps {
  readonly title: string;
  /** A sentence about the use of the secret. */
  readonly description: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret that the platform returns only once. Only the button `I have stored it` closes the dialog. */
export function SecretDialog({ title, description, secret, onClose }: SecretDialogProps) {
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
