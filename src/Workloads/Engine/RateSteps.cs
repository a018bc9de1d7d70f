namespace RedisLatency.Workloads.Engine;

/// <summary>What a schedule of steps and ramps asks for; they start with the measured stretch.</summary>
internal static class RateSteps
{
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

    public static double Average(IReadOnlyList<RateStep> steps, TimeSpan until) =>
        until <= TimeSpan.Zero || (steps is [{ } only] && only.From == only.To)
            ? steps[0].From
            : Until(steps, until) / until.TotalSeconds;

    public static double Until(IReadOnlyList<RateStep> steps, TimeSpan time)
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
