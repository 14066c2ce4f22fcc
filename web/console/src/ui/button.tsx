import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';

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
