import { useEffect, useRef, useState, type ReactNode } from "react";
import { useShop } from "../context.tsx";
import { ownAddress, toShownPicture } from "../format.ts";
import { PartIcon } from "../kit/icons/part-icon.tsx";

interface PictureProps {
  url: string | null | undefined;
  alt: string;
  /** Title of the part: without a picture, the icon of its kind is shown. */
  name?: string;
  /** Needed at once, not when it comes into view. */
  isEarly?: boolean;
  size?: number;
}

/** A picture of a fixed size, so that nothing moves when it comes, or fails to. */
export function Picture({ url, alt, name = alt, isEarly = false, size = 96 }: PictureProps): ReactNode {
  const { texts } = useShop();
  const [failures, setFailures] = useState(0);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // What failed before the script was here is no event any more.
    if (image.current?.complete && image.current.naturalWidth === 0) setFailures(1);
  }, []);
  // A small one is made when it is first asked for, which a busy shop may refuse; the stored one is always there.
  const address = url == null ? undefined : [...new Set([toShownPicture(url, size), ownAddress(url)])][failures];
  if (address === undefined)
    return (
      <span
        className={size > 96 ? "picture none large" : "picture none"}
        {...(alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": texts.noPicture })}
      >
        <PartIcon name={name} />
      </span>
    );
  return (
    <img
      ref={image}
      className={size > 96 ? "picture large" : "picture"}
      src={address}
      alt={alt}
      width={size}
      height={size}
      loading={isEarly ? "eager" : "lazy"}
      fetchPriority={isEarly ? "high" : "auto"}
      decoding="async"
      onError={() => setFailures(failures + 1)}
    />
  );
}
