import { useEffect, useState } from 'preact/hooks';

/** Grows whenever the page's colours change: by the toggle, or with the system. */
export function useTheme(): number {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const changed = () => setTheme((count) => count + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    const toggled = new MutationObserver(changed);
    system.addEventListener('change', changed);
    toggled.observe(document.documentElement, { attributes: true });
    return () => {
      system.removeEventListener('change', changed);
      toggled.disconnect();
    };
  }, []);
  return theme;
}
