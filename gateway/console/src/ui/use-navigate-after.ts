import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Like `useNavigate`, for the end of an action. It does nothing if the user has left the component meanwhile. */
export function useNavigateAfter(): UseNavigateResult<string> {
  const navigate = useNavigate();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return async (options) => {
    if (!isLeft.current) await navigate(options);
  };
}
