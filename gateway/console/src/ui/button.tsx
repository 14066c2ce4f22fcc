import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';

interface Props extends Omit<ButtonProps, 'className' | 'style'> {
  readonly variant?: 'primary' | 'danger' | 'plain';
}

/** A button. While `isPending`, it stays focused and does nothing. */
export function Button({ variant, ...props }: Props) {
  return <AriaButton {...props} className="button" data-variant={variant} />;
}
