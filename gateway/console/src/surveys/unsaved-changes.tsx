import { useBlocker } from '@tanstack/react-router';
import { FormDialog } from '../ui/dialog.tsx';

interface Props {
  /** Whether leaving loses something at this moment. */
  readonly isDirty: () => boolean;
  /** A sentence about the loss. */
  readonly loss: string;
}

/** Asks before a page with unsaved changes is left. Render it outside of the form, which would get its submit event. */
export function UnsavedChanges({ isDirty, loss }: Props) {
  const blocker = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true });
  return (
    <FormDialog
      title="Leave without saving?"
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      submitLabel="Leave"
      isDangerous
      onSubmit={async () => blocker.proceed?.()}
    >
      <p>{loss}</p>
    </FormDialog>
  );
}
