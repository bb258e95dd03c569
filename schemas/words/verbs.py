"""Verbs that the names of tools begin with. Data only."""

VERBS = set(
    "get read retrieve fetch show describe view load list search find query browse look lookup paginate check create add post register place "
    "book buy make issue insert write purchase order submit invite log record schedule start update edit modify change patch put "
    "rename set replace delete remove destroy drop erase cancel archive approve close move send upload activate enable disable pause "
    "resume stop restart publish merge copy accept reject complete refund pay confirm lock unlock share assign transfer deactivate "
    "suspend restore reset void capture verify subscribe unsubscribe follow unfollow like star mark append join leave export import "
    "generate estimate calculate compute convert count compare test validate sign log request download attach detach link unlink open "
    "block unblock mute unmute pin unpin save apply run trigger execute install uninstall rotate revoke grant report flag reply comment "
    "turn press lock display extend consume reschedule renew issue charge capture preview render sync refresh clear empty bulk allocate return "
    "mention retweet resolve rollback deploy provision redeem withdraw deposit withhold authorise authorize reserve release track think talk discuss "
    "push fork clone crop resize scrape crawl click hover transcribe upsert purge flush migrate encrypt decrypt encode decode parse "
    "notify broadcast enrich process evaluate analyse analyze summarise summarize "
    "translate print touch navigate adjust authenticate detect perform provide obtain "
    "determine extract identify deny restrict invite dismiss toggle reboot reseat switch disconnect duplicate unarchive invalidate "
    "resend reorder instantiate initiate queue enqueue fulfill fulfil deliver refine negotiate scrap repair finalize finalise "
    "settle acknowledge ack retry rerun promote demote rebuild reindex recalculate reload reconcile regenerate impersonate "
    "simulate reassign unassign unclaim swap snooze unsnooze quarantine cordon uncordon drain remind reconnect unsuspend "
    "reactivate reopen finish begin unpublish approve ingest remediate enroll enrol unenroll upvote downvote nominate respond unlike unstar unfavorite favorite unban ban repost unrepost bookmark unbookmark unpin boost unboost control manage play configure freeze unfreeze redirect reroute escalate postpone disarm".split()
)

TOLD = VERBS | set(
    "connect exchange skip establish associate seek wipe reverse terminate end select discover inspect measure "
    "predict classify recommend suggest prepare prune untag annotate invoke kill wake arm disarm rewind give take compose trash "
    "untrash ask solve fill drag scroll wait dispatch receive gather collect choose increase decrease raise lower assess "
    "explain diagnose".split()
)
"""Verbs that summaries begin with; some are nouns in names: `exchange_rate`."""

FILLING = {"v", "api", "do", "controller", "op", "operation", "handler", "endpoint", "rest", "index", "store"}
"""Words in the names of tools that say nothing of what they do."""

PARTICLES = {"to", "into", "in", "out", "up", "off", "on", "from", "for"}
"""Words that belong to the verb before them: "log in"."""
