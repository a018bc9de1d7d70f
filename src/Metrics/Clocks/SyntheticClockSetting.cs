namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// What the environment says of the clock. Reading it never throws: that happens when the first stamp is taken, and
/// what a static initialiser throws would reach the user as a stack trace.
/// </summary>
internal sealed record SyntheticClockSetting(SyntheticClock? Clock, string? Problem)
{
    public static SyntheticClockSetting Read(string? text, long hostNowNs)
    {
        if (string.IsNullOrWhiteSpace(text))
            return new SyntheticClockSetting(null, null);
        try
        {
            var clock = SyntheticClock.Parse(text, hostNowNs);
            // A frame's stamps start at zero.
            return clock.FromHost(hostNowNs) > 0
                ? new SyntheticClockSetting(clock, null)
                : Wrong(text, $"the clock would read {clock.FromHost(hostNowNs)} ns now; it must be above zero");
        }
        catch (FormatException exception)
        {
            return Wrong(text, exception.Message);
        }
    }

    private static SyntheticClockSetting Wrong(string text, string problem) =>
        new(null, $"{problem} (from the environment, {SyntheticClock.Variable}={text})");
}
