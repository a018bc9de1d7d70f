using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Verdicts;

/// <summary>A server that does not speak as it is asked: which answer is whose is not known then.</summary>
public static class WrongAnswers
{
    /// <summary>Why a result is not valid where a server did so, so many times.</summary>
    public static string Fault(long times) =>
        $"{Quantity.Count(times)} times the server said what it was not asked for: replies before that may have been "
            + "taken for those of other commands.";
}
