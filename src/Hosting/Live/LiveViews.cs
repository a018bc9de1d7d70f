using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Live;

public static class LiveViews
{
    /// <summary>The view of these options; <c>--quiet</c> shows nothing unless a view is asked for by name.</summary>
    public static ILiveView Of(
        OutputOptions options,
        LiveDescription description,
        StandardOutput output,
        Diagnostics diagnostics,
        IStopToken stop) => KindOf(options) switch
        {
            LiveView.None => None(),
            LiveView.Rich => Rich(description, Terminal.Detect(), output, diagnostics, stop),
            _ => Plain(description, diagnostics, stop),
        };

    /// <summary>
    /// Which of them that is: none, plain or rich. In the background it would be drawn over what is in the foreground.
    /// </summary>
    public static LiveView KindOf(OutputOptions options) => options.Live switch
    {
        LiveView.Auto when options.Quiet || Keyboard.IsInBackground(1) || Keyboard.IsInBackground(2) => LiveView.None,
        LiveView.Auto when options.Format == OutputFormat.Text && Terminal.Detect().IsInteractive => LiveView.Rich,
        LiveView.Auto => LiveView.Plain,
        var chosen => chosen,
    };

    /// <summary>
    /// A display that is drawn over once per interval. It allocates and its thread competes for the CPU: numbers to be
    /// published are taken with <see cref="None"/>.
    /// </summary>
    public static ILiveView Rich(
        LiveDescription description,
        Terminal terminal,
        StandardOutput output,
        Diagnostics diagnostics,
        IStopToken stop) =>
        new RichView(
            description,
            new TerminalOutput(output, terminal),
            terminal.HasColor,
            diagnostics,
            stop,
            new LiveKeys(!Console.IsOutputRedirected, diagnostics, stop));

    /// <summary>Lines on standard error; allocates nothing.</summary>
    public static ILiveView Plain(LiveDescription description, Diagnostics diagnostics, IStopToken stop) =>
        new PlainView(
            description,
            diagnostics,
            new LiveKeys(!Console.IsErrorRedirected, diagnostics, stop),
            Console.IsErrorRedirected ? null : Terminal.ReadColumns);

    public static ILiveView None() => new NoView();
}
