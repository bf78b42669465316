//! Charts as inline SVG.
//!
//! Colours are written as the values below and given their meaning by the page's style sheet, so that one drawing serves
//! light and dark.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::metrics::{CalibrationBin, CurvePoint};

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Replaced by the style sheet: axes and text.
pub(super) const INK: RGBColor = RGBColor(17, 17, 17);
/// Replaced by the style sheet: grid and guides.
pub(super) const FAINT: RGBColor = RGBColor(204, 204, 204);
/// Replaced by the style sheet: data.
pub(super) const DATA: RGBColor = RGBColor(31, 119, 180);
/// Replaced by the style sheet: second data.
pub(super) const OTHER: RGBColor = RGBColor(255, 127, 14);

const SIZE: (u32, u32) = (420, 320);
const FONT: i32 = 13;

/// A named line: points from left to right.
pub(super) struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Draws on a canvas and gives the SVG; an empty text where nothing could be drawn.
fn svg(label: &str, draw: impl Fn(&Canvas<'_>) -> Drawn) -> String {
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        if draw(&canvas).and_then(|()| canvas.present().map_err(Into::into)).is_err() {
            return String::new();
        }
    }
    // Scales with its column, and says what it shows to those who do not see it.
    let (width, height) = SIZE;
    let start = format!("<svg width=\"{width}\" height=\"{height}\"");
    let named = format!("<svg role=\"img\" aria-label=\"{}\"", super::page::escape(label));
    text.replacen(&start, &named, 1)
}

/// The share of right labels at each confidence, beside the diagonal that calibration means.
pub(super) fn reliability(bins: &[CalibrationBin]) -> String {
    if bins.is_empty() {
        return String::new();
    }
    let most = bins.iter().map(|bin| bin.rows).max().unwrap_or(1).max(1) as f64;
    svg("Reliability diagram: share of right labels by confidence", |canvas| {
        let mut chart = unit_chart(canvas, "confidence", "share of right labels")?;
        chart.draw_series(bins.iter().map(|bin| {
            // The fuller the bar, the more rows are in the bin.
            let height = 0.12 * bin.rows as f64 / most;
            Rectangle::new([(bin.low + 0.01, 0.0), (bin.high - 0.01, height)], FAINT.filled())
        }))?;
        chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], FAINT))?;
        chart.draw_series(LineSeries::new(
            bins.iter().map(|bin| (bin.mean_probability, bin.frequency)),
            DATA.stroke_width(2),
        ))?;
        chart
            .draw_series(bins.iter().map(|bin| Circle::new((bin.mean_probability, bin.frequency), 4, DATA.filled())))?;
        Ok(())
    })
}

/// Share of unsupported claims flagged against share of supported ones.
pub(super) fn roc(points: &[CurvePoint]) -> String {
    let Some(last) = points.last().filter(|last| last.true_positives > 0 && last.false_positives > 0) else {
        return String::new();
    };
    let at = |point: &CurvePoint| {
        (
            point.false_positives as f64 / last.false_positives as f64,
            point.true_positives as f64 / last.true_positives as f64,
        )
    };
    let line = std::iter::once((0.0, 0.0)).chain(points.iter().map(at));
    svg("ROC curve: unsupported claims flagged against supported ones flagged", |canvas| {
        let mut chart = unit_chart(canvas, "supported claims flagged", "unsupported claims flagged")?;
        chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], FAINT))?;
        chart.draw_series(LineSeries::new(line.clone(), DATA.stroke_width(2)))?;
        Ok(())
    })
}

/// Precision against recall of unsupported claims.
pub(super) fn precision_recall(points: &[CurvePoint]) -> String {
    let Some(last) = points.last().filter(|last| last.true_positives > 0 && last.false_positives > 0) else {
        return String::new();
    };
    let share = last.true_positives as f64 / (last.true_positives + last.false_positives) as f64;
    let line = points.iter().map(|point| {
        (
            point.true_positives as f64 / last.true_positives as f64,
            point.true_positives as f64 / (point.true_positives + point.false_positives) as f64,
        )
    });
    svg("Precision and recall of unsupported claims", |canvas| {
        let mut chart = unit_chart(canvas, "recall of unsupported", "precision")?;
        chart.draw_series(LineSeries::new([(0.0, share), (1.0, share)], FAINT))?;
        chart.draw_series(LineSeries::new(line.clone(), DATA.stroke_width(2)))?;
        Ok(())
    })
}

/// How many rows took how long.
pub(super) fn latency(times: &[f64]) -> String {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(most) = super::metrics::percentile(&sorted, 0.99).filter(|most| *most > 0.0) else { return String::new() };
    const BARS: usize = 30;
    let width = most / BARS as f64;
    let mut counts = [0_u32; BARS];
    for time in &sorted {
        counts[((time / width) as usize).min(BARS - 1)] += 1;
    }
    let highest = f64::from(counts.iter().copied().max().unwrap_or(1).max(1));
    svg("Latency: rows by milliseconds", |canvas| {
        let mut chart =
            chart_of(canvas, (0.0, most), (0.0, highest * 1.05), "milliseconds (last bar: and more)", "rows")?;
        chart.draw_series(counts.iter().enumerate().map(|(at, count)| {
            let from = at as f64 * width;
            Rectangle::new([(from, 0.0), (from + 0.9 * width, f64::from(*count))], DATA.filled())
        }))?;
        Ok(())
    })
}

/// Recall at growing ranks, a line for each way of searching.
pub(super) fn recall_at_ranks(lines: &[Line]) -> String {
    if lines.iter().all(|line| line.points.is_empty()) {
        return String::new();
    }
    svg("Recall by rank", |canvas| {
        let last = lines.iter().flat_map(|line| &line.points).map(|point| point.0).fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(canvas)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d((1.0..last).log_scale(), 0.0..1.0)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .label_style(("sans-serif", FONT).into_font().color(&INK))
            .x_desc("documents looked at")
            .y_desc("recall")
            .draw()?;
        for (at, line) in lines.iter().enumerate() {
            let colour = [DATA, OTHER, INK][at % 3];
            chart
                .draw_series(LineSeries::new(line.points.iter().copied(), colour.stroke_width(2)))?
                .label(&line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .label_font(("sans-serif", FONT).into_font().color(&INK))
            .border_style(FAINT)
            .draw()?;
        Ok(())
    })
}

type Unit<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedF64, RangedF64>>;
type RangedF64 = plotters::coord::types::RangedCoordf64;

fn unit_chart<'a, 'b>(canvas: &'a Canvas<'b>, x: &str, y: &str) -> Result<Unit<'a, 'b>, Box<dyn std::error::Error>>
where
    'b: 'a,
{
    chart_of(canvas, (0.0, 1.0), (0.0, 1.0), x, y)
}

fn chart_of<'a, 'b>(
    canvas: &'a Canvas<'b>,
    xs: (f64, f64),
    ys: (f64, f64),
    x: &str,
    y: &str,
) -> Result<Unit<'a, 'b>, Box<dyn std::error::Error>>
where
    'b: 'a,
{
    let mut chart = ChartBuilder::on(canvas)
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(xs.0..xs.1, ys.0..ys.1)?;
    chart
        .configure_mesh()
        .x_labels(6)
        .y_labels(6)
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .label_style(("sans-serif", FONT).into_font().color(&INK))
        .x_desc(x)
        .y_desc(y)
        .draw()
        .map_err(|error| error.to_string())?;
    Ok(chart)
}
