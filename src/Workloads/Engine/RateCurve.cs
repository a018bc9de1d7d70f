namespace RedisLatency.Workloads.Engine;

/// <summary>When the n-th operation is due: the inverse of the area under the rate; no rounding adds up.</summary>
internal sealed class RateCurve
{
    private readonly Stretch[] _stretches;
    private int _current;

    /// <param name="steps">At least one; the last one's final rate is above zero.</param>
    public RateCurve(IReadOnlyList<RateStep> steps)
    {
        if (steps.Count == 0 || steps.Any(step => !IsRate(step.From) || !IsRate(step.To)) || !(steps[^1].To > 0))
        {
            throw new ArgumentException(
                "Rates are finite and not negative, and the last one is above zero.", nameof(steps));
        }

        var stretches = new List<Stretch>();
        var (count, start) = (0.0, 0.0);
        foreach (var step in steps)
        {
            var seconds = step.Duration.TotalSeconds;
            if (seconds > 0)
                stretches.Add(new Stretch(count, start, step.From, (step.To - step.From) / seconds));
            count += (step.From + step.To) / 2 * seconds;
            start += seconds;
        }

        stretches.Add(new Stretch(count, start, steps[^1].To, 0));
        _stretches = [.. stretches];
    }

    /// <summary>The nanoseconds from the start until so many operations are due; counts must not go back.</summary>
    public long TimeOf(double count)
    {
        while (_current + 1 < _stretches.Length && count >= _stretches[_current + 1].Count)
            _current++;
        ref readonly var stretch = ref _stretches[_current];
        var due = count - stretch.Count;
        if (stretch.Growth == 0)
            return (long)(stretch.Start * 1e9) + (long)(due * 1e9 / stretch.Rate);
        // The root that stays accurate where the growth is small.
        var root = Math.Sqrt((stretch.Rate * stretch.Rate) + (2 * stretch.Growth * due));
        return (long)((stretch.Start + (2 * due / (stretch.Rate + root))) * 1e9);
    }

    private static bool IsRate(double rate) => double.IsFinite(rate) && rate >= 0;

    private readonly record struct Stretch(double Count, double Start, double Rate, double Growth);
}
