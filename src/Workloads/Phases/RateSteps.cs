using RedisLatency.Workloads.Rates;

namespace RedisLatency.Workloads.Phases;

/// <summary>What a schedule of steps and ramps asks for.</summary>
internal static class RateSteps
{
    /// <summary>The rate at a time after the start.</summary>
    public static double At(IReadOnlyList<RateStep> steps, TimeSpan time)
    {
        // By index: it is asked in every interval, and an enumerator of the interface would be allocated.
        for (var i = 0; i < steps.Count; i++)
        {
            var step = steps[i];
            if (time < step.Duration)
                return step.From + ((step.To - step.From) * Math.Max(0, time / step.Duration));
            time -= step.Duration;
        }

        return steps[^1].To;
    }

    /// <summary>Operations that are due from one time after the start to another.</summary>
    public static double Between(IReadOnlyList<RateStep> steps, TimeSpan from, TimeSpan to) =>
        Until(steps, to) - Until(steps, from);

    /// <summary>The average rate from one time after the start to another.</summary>
    public static double Average(IReadOnlyList<RateStep> steps, TimeSpan from, TimeSpan to) =>
        steps is [{ } only] && only.From == only.To ? only.To : Between(steps, from, to) / (to - from).TotalSeconds;

    private static double Until(IReadOnlyList<RateStep> steps, TimeSpan time)
    {
        var due = 0.0;
        foreach (var step in steps)
        {
            if (time <= step.Duration)
                return due + ((step.From + At([step], time)) / 2 * time.TotalSeconds);
            due += (step.From + step.To) / 2 * step.Duration.TotalSeconds;
            time -= step.Duration;
        }

        return due + (steps[^1].To * time.TotalSeconds);
    }
}
