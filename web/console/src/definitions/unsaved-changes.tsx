import { useBlocker } from '@tanstack/react-router';
import { FormDialog } from '../ui/dialog.tsx';

interface Props {
  /** Whether there are unsaved changes now. */
  readonly isDirty: () => boolean;
  /** The sentence that says what would be lost. */
  readonly loss: string;
}

/**
 * Asks for confirmation when users leave unsaved changes. Render it outside of the edited form, which would otherwise
 * get the submit event of this dialog.
 */
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
