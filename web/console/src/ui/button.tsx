import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { useAnnounce } from './announce.tsx';

interface Props extends Omit<ButtonProps, 'className' | 'style'> {
  readonly variant?: 'primary' | 'danger' | 'plain' | undefined;
}

/** A button. While `isPending`, it stays focused and does nothing. */
export function Button({ variant, isPending = false, ...props }: Props) {
  // Do not use the pending state of the library: it announces a label that may be removed by then, which is an
  // accessibility error.
  const pending = isPending ? ({ type: 'button', onPress: () => undefined, 'aria-disabled': true } as const) : {};
  return <AriaButton {...props} {...pending} className="button" data-variant={variant} />;
}

interface CopyButtonProps {
  readonly label: string;
  /** The text, or a function that returns it when the button is pressed. */
  readonly text: string | (() => string);
  /** Announced after copying, such as `The address is copied.` */
  readonly done: string;
}

/** Copies a text to the clipboard. Not shown without HTTPS, because browsers do not permit copying then. */
export function CopyButton({ label, text, done }: CopyButtonProps) {
  const announce = useAnnounce();
  if (!window.isSecureContext) return null;
  return (
    <Button
      onPress={() =>
        void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
          () => announce(done),
          () => announce('The browser did not permit copying.'),
        )
      }
    >
      {label}
    </Button>
  );
}
