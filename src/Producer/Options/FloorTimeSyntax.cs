using RedisLatency.Reports.Values;

namespace RedisLatency.Producer.Options;

/// <summary>Reads the floors of both ways, <c>13.5ms</c>, or of each, <c>13.5ms,19ms</c>.</summary>
internal static class FloorTimeSyntax
{
    private static readonly ValueSyntax<TimeSpan> Time = Syntax.Duration(most: TimeSpan.FromMinutes(1));

    public static ValueSyntax<FloorTimes> Create() => new("DURATION[,DURATION]", Read, Write) { Limits = Time.Limits };

    private static ValueReading<FloorTimes> Read(string text)
    {
        var parts = text.Split(',');
        var forward = Time.Read(parts[0]);
        var back = parts.Length > 1 ? Time.Read(parts[1]) : forward;
        return parts.Length > 2
            ? ValueReading.Wrong<FloorTimes>("one time for both ways is needed, or two: 13.5ms,19ms")
            : (forward.Problem ?? back.Problem) is { } problem
                ? ValueReading.Wrong<FloorTimes>(problem)
                : ValueReading.Of(new FloorTimes(forward.Value, back.Value));
    }

    private static string Write(FloorTimes floors) => floors.Forward == floors.Back
        ? Time.Write(floors.Forward)!
        : $"{Time.Write(floors.Forward)},{Time.Write(floors.Back)}";
}
