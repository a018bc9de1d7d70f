using System.Globalization;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Page;

/// <summary>One axis of a chart: where on it, from 0 to 1, a value lies, and what is written beside it.</summary>
public sealed class ChartAxis
{
    private static readonly double[] Steps = [1, 2, 5];

    private static readonly double[] ClockSteps =
    [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800,
    ];

    private readonly Func<double, double> _scale;
    private readonly double _least;
    private readonly double _most;

    private ChartAxis(
        Func<double, double> scale, double least, double most, IEnumerable<(double Value, string Label)> ticks)
    {
        (_scale, _least, _most) = (scale, scale(least), scale(most));
        Ticks = [.. ticks.Select(tick => (PlaceOf(tick.Value), tick.Label))];
    }

    /// <summary>Places and their labels, in order; below 0 or above 1 they are outside.</summary>
    public IReadOnlyList<(double Place, string Label)> Ticks { get; }

    /// <summary>Durations in nanoseconds, by their order of magnitude.</summary>
    /// <param name="nanoseconds">What the axis fits.</param>
    /// <param name="others">What may be shown later, and lies outside of it: there are powers of ten.</param>
    public static ChartAxis Durations(IEnumerable<double> nanoseconds, params IEnumerable<double> others)
    {
        var (least, most) = Span(nanoseconds.Where(value => value > 0), 1_000);
        var first = Math.Floor(Math.Log10(least));
        var decades = Math.Ceiling(Math.Log10(most)) - first;
        // It ends where its values do; of many decades each is labelled, and what lies between two is not.
        var values = Enumerable.Range(0, (int)decades + 1)
            .SelectMany(decade => Steps.Select(step => step * Math.Pow(10, first + decade))).ToList();
        var from = values.FindLastIndex(value => value <= least);
        var until = values.FindIndex(value => value >= most && value > values[from]);
        var (low, high) = Span(others.Where(value => value > 0).Append(least).Append(most), 1_000);
        var outside = PowersOfTen(low, high).Where(value => (value < values[from] && low < values[from])
            || (value > values[until] && high > values[until]));
        return new ChartAxis(
            value => value > 0 ? Math.Log10(value) : double.NegativeInfinity,
            values[from],
            values[until],
            outside.Concat(values[from..(until + 1)].Where((_, place) =>
                decades <= 3 || (from + place) % Steps.Length == 0)).Order().Select(value => (value, TickOf(value))));
    }

    // With as many digits as it needs: 100 ms, not 100.0 ms.
    private static string TickOf(double nanoseconds)
    {
        var text = Quantity.Duration(nanoseconds);
        var (number, unit) = (text[..text.IndexOf(' ')], text[text.IndexOf(' ')..]);
        return number.Contains('.') ? number.TrimEnd('0').TrimEnd('.') + unit : text;
    }

    private static IEnumerable<double> PowersOfTen(double least, double most)
    {
        for (var power = Math.Floor(Math.Log10(least)); power <= Math.Ceiling(Math.Log10(most)); power++)
            yield return Math.Pow(10, power);
    }

    /// <summary>Numbers of either sign, in even steps.</summary>
    public static ChartAxis Even(IEnumerable<double> values, Func<double, string> label)
    {
        var (least, most) = Span(values, 1);
        var raw = Math.Max((most - least) / 5, Math.Abs(most) * 1e-9);
        var decade = Math.Pow(10, Math.Floor(Math.Log10(raw)));
        var step = Steps.Append(10).Select(one => one * decade).First(one => one >= raw * (1 - 1e-9));
        var ticks = InSteps(least, most, step, label).ToList();
        return new ChartAxis(value => value, ticks[0].Value, ticks[^1].Value, ticks);
    }

    /// <summary>Seconds since the run began.</summary>
    public static ChartAxis Seconds(double most)
    {
        most = Math.Max(most, 0.1);
        if (most <= 5)
        {
            var fraction = most <= 0.5 ? 0.1 : most <= 2 ? 0.5 : 1;
            return Of(fraction, seconds => string.Create(CultureInfo.InvariantCulture, $"{seconds:0.##} s"));
        }

        var step = ClockSteps.FirstOrDefault(one => most / one <= 6, Math.Ceiling(most / 6 / 86_400) * 86_400);
        return Of(step, seconds => Quantity.Elapsed(TimeSpan.FromSeconds(seconds)));

        ChartAxis Of(double step, Func<double, string> label) => new(
            value => value, 0, most, InSteps(0, most, step, label).Where(tick => tick.Value <= most));
    }

    /// <summary>Percentiles, each nine as wide as the one before.</summary>
    public static ChartAxis Nines(double most)
    {
        most = Math.Max(most, 90);
        return new ChartAxis(NinesOf, 0, most, Enumerable.Range(2, 12)
            .Select(count => 100 - Math.Pow(10, 2 - count + 1)).Where(value => value > 0 && value <= most + 1e-9)
            .Select(value => (value, Label(value)))
            .Prepend((50, "50 %")));

        static string Label(double value) => string.Create(CultureInfo.InvariantCulture, $"{value:0.#######} %");
    }

    /// <summary>Where a value lies; below 0 or above 1 it is outside.</summary>
    public double PlaceOf(double value) => (_scale(value) - _least) / (_most - _least);

    private static double NinesOf(double percentile) => -Math.Log10(1 - (percentile / 100));

    private static (double Least, double Most) Span(IEnumerable<double> values, double none)
    {
        var (least, most) = (double.PositiveInfinity, double.NegativeInfinity);
        foreach (var value in values.Where(double.IsFinite))
            (least, most) = (Math.Min(least, value), Math.Max(most, value));
        return least > most ? (none, 2 * none)
            : least < most ? (least, most)
            : (least, least + Math.Max(none, Math.Abs(least)));
    }

    private static IEnumerable<(double Value, string Label)> InSteps(
        double least, double most, double step, Func<double, string> label)
    {
        var first = Math.Floor((least / step) + 1e-9);
        var last = Math.Max(first + 1, Math.Ceiling((most / step) - 1e-9));
        for (var number = first; number <= last; number++)
            yield return (number * step, label(number * step));
    }
}
