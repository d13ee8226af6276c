import { runRoute } from '../router.ts';

const runIds = /([a-z0-9-]+(?:\/[a-z0-9-]+)*#\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?:~manual-[a-z0-9]+)?)/;

/** A text in which each run that it names is a link to it. */
export function LinkedText({ children }: { readonly children: string }) {
  const parts = children.split(runIds);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={part} href={runRoute(part)}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  );
}
