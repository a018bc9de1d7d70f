using System.Runtime.ExceptionServices;

namespace RedisLatency.Hosting.Running;

/// <summary>Runs what blocks and cannot watch the request to stop itself, such as opening a connection.</summary>
public static class InterruptibleStep
{
    /// <summary>Runs it on a thread of its own and returns when it has ended.</summary>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    public static void Run(Action step, IStopToken stop) =>
        Run(
            () =>
            {
                step();
                return true;
            },
            stop);

    /// <summary>Runs it on a thread of its own and returns what it returned.</summary>
    /// <param name="step">What blocks; after a request to stop it is left to itself, or ends with the process.</param>
    /// <param name="stop">Ends the waiting.</param>
    /// <exception cref="OperationCanceledException">The run shall end.</exception>
    public static T Run<T>(Func<T> step, IStopToken stop)
    {
        var result = default(T);
        ExceptionDispatchInfo? problem = null;
        // Not disposed: a step that is left to itself ends later.
        var ended = new ManualResetEvent(initialState: false);
        new Thread(() =>
        {
            try
            {
                result = step();
            }
            catch (Exception thrown)
            {
                problem = ExceptionDispatchInfo.Capture(thrown);
            }

            ended.Set();
        })
        { Name = "step", IsBackground = true }.Start();

        // A wait for a task would spin first, on the processor that the step needs.
        if (WaitHandle.WaitAny([ended, stop.Cancellation.WaitHandle]) != 0)
            throw new OperationCanceledException(stop.Cancellation);
        problem?.Throw();
        return result!;
    }
}
