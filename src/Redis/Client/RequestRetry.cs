namespace RedisLatency.Redis.Client;

/// <summary>
/// What becomes of a request that a server refused: the same for every client that asks again. It was not carried out,
/// so sending it again does no harm; whoever sent it says how often and how long.
/// </summary>
public static class RequestRetry
{
    /// <summary>
    /// So many redirections are followed one after the other, and one behind each pause from then on: two servers may
    /// name each other until they agree.
    /// </summary>
    public const int MostRedirections = 16;

    private const int LongestPauseMs = 250;

    /// <summary>What comes next.</summary>
    /// <param name="error">What it was refused with.</param>
    /// <param name="redirections">How many were followed one after the other; counted here.</param>
    public static NextStep After(ErrorKind error, ref byte redirections)
    {
        if (!error.NamesServer)
        {
            redirections = 0;
            return error.MayPass ? NextStep.SendAgain : NextStep.GiveUp;
        }

        if (redirections < MostRedirections)
        {
            redirections++;
            return NextStep.Follow;
        }

        redirections--;
        return NextStep.SendAgain;
    }

    /// <summary>
    /// How long it waits before it is sent again: 1 ms, then twice as long each time, up to 250 ms. A slot moves, or a
    /// script ends, within milliseconds; later a server that is busy is not to be loaded more. There is no jitter, as
    /// the pause is part of a latency.
    /// </summary>
    /// <param name="retries">How often it was sent again before.</param>
    public static TimeSpan PauseAfter(int retries) =>
        TimeSpan.FromMilliseconds(Math.Min(1L << Math.Min(retries, 20), LongestPauseMs));
}
