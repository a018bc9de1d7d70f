using RedisLatency.Lab.Worlds;

namespace RedisLatency.Lab.Rows;

/// <summary>What the machine itself added to messages, by their true times: how sharp a result can be.</summary>
internal static class MachineNoise
{
    private const long TenthOfSecondNs = 100_000_000;

    /// <summary>
    /// By how much the quickest message of a tenth of a second was slower than the quickest of all, in nanoseconds: for
    /// nine tenths of a second in ten at most so much. What a world plants for longer than a tenth of its run is in it,
    /// too. 0 where no message was echoed.
    /// </summary>
    public static long Of(Observation seen)
    {
        long[] quickest =
        [
            .. seen.Messages.GroupBy(message => message.Sent / TenthOfSecondNs)
                .Select(tenth => tenth.Min(message =>
                    MessageChecks.TrueForward(seen, message) + MessageChecks.TrueBack(seen, message)))
                .Order(),
        ];
        return quickest.Length == 0 ? 0 : quickest[quickest.Length * 9 / 10] - quickest[0];
    }
}
