/** A line chart of one measurement over time. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { chosenTheme } from '../theme/theme.ts';

interface ChartProps {
  /** The description for screen readers. */
  readonly label: string;
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  /** The beginning of the axis, in seconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The times of events, in seconds since 1970. */
  readonly marks: readonly number[];
  readonly onPoint: (index: number | undefined) => void;
}

/** The height in pixels. */
const height = 56;

/** The line of one lane. Pointing at a time in one lane marks the same time in all lanes. */
export function Chart({ label, times, values, from, to, marks, onPoint }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const shown = useRef({ from, to, marks, onPoint });
  shown.current = { from, to, marks, onPoint };
  // The colours are read from the page when the line is drawn.
  const theme = chosenTheme.value;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new uPlot(optionsOf(element, shown), [[], []], element);
    plot.current = made;
    const resizing = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.setData([[...times], [...values]], true);
  }, [times, values, from, to, marks, theme]);
  return <div class="chart" ref={box} role="img" aria-label={label} />;
}

type ChartState = Pick<ChartProps, 'from' | 'to' | 'marks' | 'onPoint'>;

function optionsOf(element: HTMLElement, shown: { readonly current: ChartState }): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(element).getPropertyValue(name).trim();
  return {
    width: element.clientWidth,
    height,
    padding: [4, 0, 1, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: 'lanes' },
      points: { size: 7, fill: colour('--accent'), stroke: colour('--paper') },
    },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: true, range: () => [shown.current.from, shown.current.to] },
      y: { range: (_, __, most) => [0, Math.max(most ?? 0, least) * 1.1] },
    },
    series: [
      {},
      { stroke: colour('--accent'), fill: colour('--chart-fill'), width: 1.5, points: { show: false } },
    ],
    hooks: {
      drawClear: [(plot) => drawMarks(plot, shown.current.marks, colour('--mark')())],
      setCursor: [({ cursor: { idx } }) => shown.current.onPoint(idx ?? undefined)],
    },
  };
}

/** The smallest maximum, so that a line of zeros is at the bottom. */
const least = 0.001;

function drawMarks(plot: uPlot, marks: readonly number[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark, 'x', true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.moveTo(x, 0);
    ctx.lineTo(x, plot.height * devicePixelRatio);
  }
  ctx.stroke();
  ctx.restore();
}
