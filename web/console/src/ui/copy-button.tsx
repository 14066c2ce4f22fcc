import { useAnnounce } from './announce.tsx';
import { Button } from './button.tsx';

interface Props {
  readonly label: string;
  /** The text, or a function that returns it when the button is pressed. */
  readonly text: string | (() => string);
  /** Announced after copying, such as `The address is copied.` */
  readonly done: string;
}

/** Copies a text to the clipboard. Not shown without HTTPS, because browsers do not permit copying then. */
export function CopyButton({ label, text, done }: Props) {
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
