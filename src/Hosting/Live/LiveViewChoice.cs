using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Hosting.Live;

/// <summary>Makes the live view that the options ask for.</summary>
public static class LiveViewChoice
{
    /// <summary>The view of these options; <c>--quiet</c> shows nothing unless a view is asked for by name.</summary>
    public static ILiveView Of(
        OutputOptions options,
        LiveDescription description,
        StandardOutput output,
        Diagnostics diagnostics,
        IStopToken stop) => KindOf(options) switch
        {
            LiveView.None => LiveViews.None(),
            LiveView.Rich => LiveViews.Rich(description, Terminal.Detect(), output, diagnostics, stop),
            _ => LiveViews.Plain(description, diagnostics),
        };

    /// <summary>Which of them that is: none, plain or rich.</summary>
    public static LiveView KindOf(OutputOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Live switch
        {
            LiveView.Auto when options.Quiet => LiveView.None,
            LiveView.Auto when options.Format == OutputFormat.Text && Terminal.Detect().IsInteractive => LiveView.Rich,
            LiveView.Auto => LiveView.Plain,
            var chosen => chosen,
        };
    }
}
