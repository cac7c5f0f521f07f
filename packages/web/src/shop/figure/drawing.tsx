import type { Callout, FigureDrawing } from "@partline/client";
import type { PanzoomObject } from "@panzoom/panzoom";
import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { ownAddress } from "../format.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { MINUS, PLUS, PRINT } from "../kit/icons/ui.ts";

interface DrawingProps {
  drawing: FigureDrawing;
  chosen: string | undefined;
  /** The number that a pointer is over, here or in the list. */
  pointedAt: string | undefined;
  onPoint: (reference: string | undefined) => void;
  onChoose: (reference: string) => void;
}

/** The class of the picture that callouts are drawn over; a drag that begins there moves nothing. */
const CALLOUT_CLASS = "callout";
const toPercent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** Returns the place of a mark around a number of the drawing. */
export function placeMark({ x, y, width, height }: Callout["box"]) {
  return {
    x: toPercent(x - width * 0.35),
    y: toPercent(y - height * 0.35),
    width: toPercent(width * 1.7),
    height: toPercent(height * 1.7),
    rx: 4,
  };
}

/**
 * A page of a manual whose numbers can be chosen; it is moved by pointer and zoomed by buttons, pinch or Ctrl and
 * wheel.
 */
export function Drawing({ drawing: { page, imageUrl, callouts }, ...links }: DrawingProps): ReactNode {
  const { texts } = useShop();
  const { content, zoom } = usePanzoom();
  return (
    <section aria-label={fill(texts.drawingOfPage, { page })}>
      <p className="actions no-print">
        <Button size="compact" aria-label={texts.zoomIn} onClick={() => zoom.current?.zoomIn()}>
          <Icon path={PLUS} size="small" />
        </Button>
        <Button size="compact" aria-label={texts.zoomOut} onClick={() => zoom.current?.zoomOut()}>
          <Icon path={MINUS} size="small" />
        </Button>
        <Button size="compact" onClick={() => zoom.current?.reset()}>
          {texts.zoomReset}
        </Button>
        <Button size="compact" onClick={() => print()}>
          <Icon path={PRINT} size="small" />
          {texts.print}
        </Button>
      </p>
      <div className="drawing">
        <div ref={content} className="drawing-content">
          <img
            src={ownAddress(imageUrl)}
            alt={fill(texts.drawingOfPage, { page })}
            className="drawn"
            draggable={false}
          />
          <svg
            role="group"
            aria-label={texts.partsOfFigure}
            className="callouts"
            onClick={(event) => {
              const touched = findTouched(event, callouts);
              if (touched) links.onChoose(touched.ref);
            }}
          >
            {callouts.map((callout, index) => (
              <CalloutMark key={`${callout.ref} ${callout.partNumber} ${index}`} callout={callout} {...links} />
            ))}
          </svg>
        </div>
      </div>
    </section>
  );
}

/** Half of what a finger meets. */
const REACH_PX = 22;

/** Returns the number that a finger meant if it hit none: a number of a drawing is narrower than a finger. */
function findTouched(event: MouseEvent<SVGElement>, callouts: readonly Callout[]): Callout | undefined {
  const { target, currentTarget, nativeEvent, clientX, clientY } = event;
  if (target !== currentTarget || (nativeEvent as PointerEvent).pointerType !== "touch") return undefined;
  const distances = [...currentTarget.children].map((mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return Math.hypot(clientX - (left + right) / 2, clientY - (top + bottom) / 2);
  });
  const least = Math.min(...distances);
  return least <= REACH_PX ? callouts[distances.indexOf(least)] : undefined;
}

interface CalloutMarkProps extends Omit<DrawingProps, "drawing"> {
  callout: Callout;
}

function CalloutMark({ callout, chosen, pointedAt, onPoint, onChoose }: CalloutMarkProps): ReactNode {
  const { texts } = useShop();
  const { ref: reference, box, title, partNumber } = callout;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose(reference);
  };
  return (
    <rect
      className={reference === pointedAt ? `${CALLOUT_CLASS} pointed` : CALLOUT_CLASS}
      role="button"
      tabIndex={0}
      aria-pressed={reference === chosen}
      aria-label={fill(texts.calloutOf, { reference, title: title ?? partNumber ?? "" })}
      {...placeMark(box)}
      onPointerEnter={() => onPoint(reference)}
      onPointerLeave={() => onPoint(undefined)}
      onClick={() => onChoose(reference)}
      onKeyDown={onKeyDown}
    />
  );
}

function usePanzoom() {
  const content = useRef<HTMLDivElement>(null);
  const zoom = useRef<PanzoomObject>(undefined);
  useEffect(() => {
    const element = content.current!;
    let isGone = false;
    const withWheel = (event: WheelEvent): void => {
      if (event.ctrlKey) zoom.current?.zoomWithWheel(event);
    };
    // Other pages do without it.
    void import("@panzoom/panzoom").then(({ default: panzoom }) => {
      if (isGone) return;
      const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
      zoom.current = panzoom(element, {
        maxScale: 6,
        minScale: 1,
        contain: "outside",
        panOnlyWhenZoomed: true,
        animate: !isStill,
        excludeClass: CALLOUT_CLASS,
        // A finger scrolls the page until the drawing is zoomed.
        touchAction: "pan-y",
      });
      element.parentElement?.addEventListener("wheel", withWheel, { passive: false });
    });
    return () => {
      isGone = true;
      element.parentElement?.removeEventListener("wheel", withWheel);
      zoom.current?.destroy();
    };
  }, []);
  return { content, zoom };
}
