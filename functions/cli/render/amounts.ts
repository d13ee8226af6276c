const sizes = [
  { bytes: 1e9, name: 'GB' },
  { bytes: 1e6, name: 'MB' },
  { bytes: 1e3, name: 'KB' },
] as const;

/** `3.1 MB`, `0 B` */
export function bytesText(count: number): string {
  const size = sizes.find((one) => count >= one.bytes);
  return size === undefined ? `${Math.round(count)} B` : `${(count / size.bytes).toFixed(1)} ${size.name}`;
}

/** `84,000`, and of small ones two digits behind the point. */
export function amountText(amount: number): string {
  const digits = amount >= 100 ? 0 : 2;
  return amount.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** A part of 1: `97 %`, `< 1 %`. What isn't all is not called 100 %. */
export function percentText(part: number): string {
  if (part > 0 && part < 0.01) return '< 1 %';
  if (part < 1 && part > 0.99) return '> 99 %';
  return `${Math.round(part * 100)} %`;
}

/** `14 times`, `2.4 times`. */
export function timesText(factor: number): string {
  return `${factor >= 10 ? Math.round(factor).toLocaleString('en-US') : factor.toFixed(1)} times`;
}
