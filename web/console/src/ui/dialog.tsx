import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import { ErrorNotice } from './states.tsx';

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
