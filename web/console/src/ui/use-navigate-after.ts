import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Like `useNavigate`, for the end of an action. It does nothing if the user has left the component meanwhile. */
export function useNavigateAfter(): UseNavigateResult<string> {
  const navigate = useNavigate();
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);
  return async (options) => {
    if (!isUnmounted.current) await navigate(options);
  };
}
