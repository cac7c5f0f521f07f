// The payment page is where the shopper came from; one who opened this address by hand came from nowhere.
const back = document.getElementById("back");
back.hidden = history.length < 2;
back.addEventListener("click", () => history.back());
